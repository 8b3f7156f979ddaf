import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { guardRun, openArgus } from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import { builtinPlugins } from '../project/builtin-plugins.js';

/** Guards one run until it is over; what `setup` with `guard` starts in the background. */
export async function runGuardian(argv: readonly string[]): Promise<void> {
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
  const { run = '', project = '.', config, background = false } = values;
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const { kernel, close } = await openArgus({
    ...{ cwd: resolve(project), builtins: builtinPlugins, env: process.env },
    ...(config === undefined ? {} : { file: resolve(config) }),
    openStore: (dir) => createSqliteStore({ dir }),
  });
  try {
    await guardRun(kernel, run, { signal: stop.signal, background });
  } finally {
    await close();
  }
  process.exit(0);
}
