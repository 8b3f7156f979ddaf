import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../scenario.js';

/** The file in which argus remembers things becomes noise, as after a bad disk. */
export const corruptStore: Fault = {
  name: 'fills the state file with noise',
  async break({ state }) {
    const files = (await readdir(state)).filter((name) => /^argus\.db(-wal)?$/.test(name));
    if (files.length === 0) throw new Error(`there is no state file in ${state}`);
    for (const file of files) {
      const path = join(state, file);
      await writeFile(path, randomBytes((await stat(path)).size));
    }
  },
};
