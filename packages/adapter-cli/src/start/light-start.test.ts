import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/demo-project.js';

const argus = fileURLToPath(new URL('../../dist/argus.js', import.meta.url));

/** Each takes milliseconds to load, and a check of the disk needs none of them. */
const heavy = [
  'child_process',
  'crypto',
  'dns',
  'http',
  'https',
  'module',
  'net',
  'stream',
  'tls',
  'tty',
  'worker_threads',
];

it('a check of the disk loads none of the heavy modules of Node', () => {
  const folder = temporaryFolder();
  const list = join(folder, 'list.cjs');
  writeFileSync(list, `process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')));`);
  writeFileSync(
    join(folder, 'argus.config.yaml'),
    'project: { name: light }\nservices: { a: { command: sleep 1 } }\n',
  );
  // A Docker engine of this machine would be asked where it keeps its files.
  const env = { ...process.env, ARGUS_STATE_DIR: join(folder, 'state'), DOCKER_HOST: 'tcp://127.0.0.1:1' };
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', list, argus, 'check', '--only', 'disk.space'],
    { cwd: folder, encoding: 'utf8', env },
  );
  expect(status).toBe(0);
  const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
  expect(loaded).toContain('fs');
  expect(heavy.filter((name) => loaded.includes(name))).toEqual([]);
});
