import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { guardRun, openArgus, openError } from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import { builtinPlugins } from '../project/builtin-plugins.js';

/** Guards one run until it is over; what `setup` with `guard` starts in the background. Its log is told why it could not. */
export async function runGuardian(argv: readonly string[]): Promise<void> {
  // Until the configuration is read, only the environment can have secrets.
  let secrets: readonly string[] = [];
  const fail = (thrown: unknown): never => {
    const { code, message } = openError(thrown, process.env, secrets);
    writeSync(2, `error: ${message} [${code}]\n`);
    process.exit(1);
  };
  // What a plugin lets slip ends it as well, but Node would write it into the log with every secret.
  process.once('uncaughtException', fail);
  try {
    await guard(argv, (found) => {
      secrets = found;
    });
  } catch (thrown) {
    fail(thrown);
  }
  process.exit(0);
}

async function guard(argv: readonly string[], onSecrets: (found: readonly string[]) => void): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      run: { type: 'string' },
      background: { type: 'boolean' },
      project: { type: 'string' },
      config: { type: 'string' },
      'no-color': { type: 'boolean' },
    },
  });
  const { run = '', project, config, background = false } = values;
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const { kernel, close } = await openArgus({
    cwd: resolve(project ?? '.'),
    builtins: builtinPlugins,
    env: process.env,
    onSecrets,
    ...(config === undefined ? {} : { file: resolve(config) }),
    ...(config === undefined || project === undefined ? {} : { dir: resolve(project) }),
    openStore: (dir) => createSqliteStore({ dir }),
  });
  try {
    await guardRun(kernel, run, { signal: stop.signal, background });
  } finally {
    await close();
  }
}
