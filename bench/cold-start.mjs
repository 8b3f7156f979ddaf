import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '@argusai/store-sqlite';
import { bundle } from './runner/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const argus = join(root, 'packages', 'adapter-cli', 'dist', 'argus.js');
const quickstart = join(root, 'examples', 'quickstart');
const commander = fileURLToPath(new URL('programs/empty-commander.mjs', import.meta.url));

/** A database such as an earlier run leaves, in which a failure came and went. */
async function makeDatabase(dir) {
  const store = createSqliteStore({ dir });
  await store.put('runs', 'one', { state: 'up' });
  await store.put('failures', 'quickstart', { 'disk.space': 1 });
  await store.delete('failures', 'quickstart');
  await store.close();
}

/** How long argus takes from its start to its end. */
export default {
  title: 'Cold start',
  about:
    'From the start of the process to its end, in `examples/quickstart`, beside Node itself and a commander program without any command. The check runs where nothing was ever stored, and beside a database that has no failures to tell of.',
  async prepare({ dir, env }) {
    const usedMachine = join(dir, 'used');
    await makeDatabase(usedMachine);
    const bundled = await bundle(commander, dir);
    const start = (args, more) => () => {
      const options = { cwd: quickstart, env: { ...env, ...more }, encoding: 'utf8', timeout: 30_000 };
      const { status, stderr } = spawnSync(process.execPath, args, options);
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    };
    const check = [argus, 'check', '--only', 'disk.space'];
    return {
      tables: [
        {
          title: 'Start to end',
          rounds: 25,
          warmUps: 3,
          floor: 'node -e 0',
          peers: ['an empty commander program, bundled', 'an empty commander program'],
          contestants: {
            'node -e 0': start(['-e', '0']),
            'an empty commander program, bundled': start([bundled]),
            'an empty commander program': start([commander]),
            'argus --version': start([argus, '--version']),
            'argus check --only disk.space': start(check),
            'the same beside a database': start(check, { ARGUS_STATE_DIR: usedMachine }),
          },
          bars: [
            { of: 'argus --version', to: 'node -e 0', most: 1.3 },
            { of: 'argus check --only disk.space', to: 'node -e 0', most: 3 },
            { of: 'the same beside a database', to: 'node -e 0', most: 3 },
          ],
        },
      ],
    };
  },
};
