import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '@argusai/store-sqlite';
import { bundle } from './runner/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const argus = join(root, 'packages', 'adapter-cli', 'dist', 'argus.js');
const quickstart = join(root, 'examples', 'quickstart');
const commander = fileURLToPath(new URL('programs/empty-commander.mjs', import.meta.url));
const engineProgram = fileURLToPath(new URL('programs/answering-engine.mjs', import.meta.url));

/** A database such as an earlier run leaves, in which a failure came and went. */
async function makeDatabase(dir) {
  const store = createSqliteStore({ dir });
  await store.put('runs', 'one', { state: 'up' });
  await store.put('failures', 'quickstart', { 'disk.space': 1 });
  await store.delete('failures', 'quickstart');
  await store.close();
}

/** Something that answers as an engine does, so that what is measured does not depend on the one of this machine. */
async function startEngine(socket, atEnd) {
  const engine = fork(engineProgram, [socket]);
  atEnd(() => engine.kill('SIGKILL'));
  await once(engine, 'message');
}

/** A project that has a container, so that the folder of the engine is looked at as well. */
function makeContainerProject(dir) {
  mkdirSync(dir);
  const config = {
    project: { name: 'boxed' },
    services: { api: { image: 'api' } },
    plugins: [['@argusai/plugin-disk', { threshold: '100MB' }]],
  };
  writeFileSync(join(dir, 'argus.config.json'), JSON.stringify(config));
}

/** How long argus takes from its start to its end. */
export default {
  title: 'Cold start',
  about:
    'From the start of the process to its end, in `examples/quickstart`, beside Node itself and a commander program without any command. The check runs where nothing was ever stored, and beside a database that has no failures to tell of, with no engine on the machine; then where one answers, which a project of commands does not ask. A project with a container asks it for its folder: that is measured too, and has no bar.',
  async prepare({ dir, env, atEnd }) {
    const usedMachine = join(dir, 'used');
    await makeDatabase(usedMachine);
    const bundled = await bundle(commander, dir);
    const boxed = join(dir, 'boxed');
    makeContainerProject(boxed);
    const socket = join(dir, 'engine.sock');
    await startEngine(socket, atEnd);
    const noEngine = `unix://${join(dir, 'no-engine.sock')}`;
    const start =
      (args, more, cwd = quickstart) =>
      () => {
        const options = {
          cwd,
          env: { ...env, DOCKER_HOST: noEngine, ...more },
          encoding: 'utf8',
          timeout: 30_000,
        };
        const { status, stderr } = spawnSync(process.execPath, args, options);
        if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
      };
    const check = [argus, 'check', '--only', 'disk.space'];
    const answering = { DOCKER_HOST: `unix://${socket}` };
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
            'the same where an engine answers': start(check, answering),
            'a project with a container, whose engine answers': start(check, answering, boxed),
          },
          bars: [
            { of: 'argus --version', to: 'node -e 0', most: 1.3 },
            { of: 'argus check --only disk.space', to: 'node -e 0', most: 3 },
            { of: 'the same beside a database', to: 'node -e 0', most: 3 },
            { of: 'the same where an engine answers', to: 'node -e 0', most: 3 },
          ],
        },
      ],
    };
  },
};
