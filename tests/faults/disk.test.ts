import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { type PrivateEngine, startPrivateEngine } from '../support/engine.js';
import { makeTestImage } from '../support/test-image.js';
import { describeScenarios } from './describe-scenarios.js';
import { diskScenarios } from './scenarios/disk.js';

const run = promisify(execFile);

describeWithEngine('faults of the disk', () => {
  let engine: PrivateEngine | undefined;
  let disk = '';
  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'argus-disk-'));
    await run('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]);
    const usual = process.env.TMPDIR;
    // An engine lives where temporary files do.
    process.env.TMPDIR = disk;
    const started = await startPrivateEngine();
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    if ('missing' in started) throw new Error(started.missing);
    engine = started;
    await makeTestImage(engine.host);
  });
  afterAll(async () => {
    await engine?.end();
    await run('umount', [disk]);
    await rmdir(disk);
  });

  describeScenarios(
    diskScenarios(() => disk),
    () => ({ host: engine?.host ?? '' }),
  );
});
