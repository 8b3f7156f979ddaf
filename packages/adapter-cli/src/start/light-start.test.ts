import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
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

/**
 * What a check runs is kept compiled, and all of it is read at the next start: 4 ms for each MB. Time itself has its bar in
 * bench/cold-start.mjs; this notices a package that comes along by mistake, not a few words more.
 */
const maxCompiled = 1_150_000;

/** To make one takes 15 µs, which was a fifth of what a check does. */
const maxSchemas = 420;

/** Checks in a folder with a service, with all plugins that argus brings along. */
function checkIn(folder: string, nodeOptions: readonly string[] = []) {
  writeFileSync(
    join(folder, 'argus.config.yaml'),
    'project: { name: light }\nservices: { a: { command: sleep 1 } }\n',
  );
  const env = {
    ...process.env,
    ARGUS_STATE_DIR: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    NODE_DISABLE_COMPILE_CACHE: '',
    // A Docker engine of this machine would be asked where it keeps its files.
    DOCKER_HOST: 'tcp://127.0.0.1:1',
  };
  const args = [...nodeOptions, argus, 'check', '--only', 'disk.space'];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
}

it('a check of the disk loads none of the heavy modules of Node', () => {
  const folder = temporaryFolder();
  const list = join(folder, 'list.cjs');
  writeFileSync(list, `process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')));`);
  const { status, stderr } = checkIn(folder, ['--require', list]);
  expect(status).toBe(0);
  const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
  expect(loaded).toContain('fs');
  expect(heavy.filter((name) => loaded.includes(name))).toEqual([]);
});

it('a check of the disk runs little of the program, and nothing of what is in the second file', () => {
  const folder = temporaryFolder();
  expect(checkIn(folder)).toMatchObject({ status: 0 });
  const kept = join(folder, 'cache', 'argus');
  const files = readdirSync(kept);
  expect(files.map((name) => /-(program|rest)-/.exec(name)?.[1])).toEqual(['program']);
  for (const name of files) expect(statSync(join(kept, name)).size).toBeLessThan(maxCompiled);
});

it('a check of the disk makes few schemas', () => {
  const folder = temporaryFolder();
  const count = join(folder, 'count.cjs');
  // Zod calls this for each schema that it has made.
  writeFileSync(
    count,
    `let made = 0;
    globalThis.__zod_globalConfig = { postProcessor: () => { made += 1; } };
    process.on('exit', () => process._rawDebug(String(made)));`,
  );
  const { status, stderr } = checkIn(folder, ['--require', count]);
  expect(status).toBe(0);
  expect(Number(stderr)).toBeGreaterThan(100);
  expect(Number(stderr)).toBeLessThan(maxSchemas);
});
