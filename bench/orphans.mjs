import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createKernel, createMemoryStore, labelsOf, usePlugin } from '@argusai/core';
import docker from '@argusai/plugin-docker';
import orphans from '@argusai/plugin-orphans';

const counts = { containers: 14, networks: 3, volumes: 3 };
const LIMIT_MS = 60_000;

/** Running containers in their networks, with their volumes, all labelled as those of a run that nobody knows. */
async function leaveBehind(id, { run, image, busybox, store }) {
  const owner = { host: 'bench', pid: 1, startedAt: 'x' };
  const labels = labelsOf({ id, project: 'bench', worktree: process.cwd(), store, owner }, Date.now());
  const label = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
  const named = (kind, count) => Array.from({ length: count }, (_, index) => `bench-${id}-${kind}-${index}`);
  const networks = named('network', counts.networks);
  const volumes = named('volume', counts.volumes);
  const containers = named('container', counts.containers);
  await Promise.all([
    ...networks.map((name) => run('network', 'create', ...label, name)),
    ...volumes.map((name) => run('volume', 'create', ...label, name)),
  ]);
  await Promise.all(
    containers.map((name, index) => {
      const network = networks[index % networks.length];
      const volume = `${volumes[index % volumes.length]}:/data`;
      const place = ['--network', network, '--volume', volume, '--name', name];
      return run('run', '--detach', ...label, ...place, image, ...busybox, 'sleep', '600');
    }),
  );
  return { containers, networks, volumes };
}

async function removeWithArgus({ project, events, clock, hooks }) {
  let result;
  const report = (_, value) => {
    result = value;
  };
  const { signal } = new AbortController();
  await hooks.prepareEnvironment.promise({ project, events, clock, signal, report });
  if (result.failed.length > 0) throw new Error(JSON.stringify(result.failed));
}

function contestantsOn({ image, busybox }, { env, dir, atEnd }) {
  const run = async (...args) =>
    (await promisify(execFile)('docker', args, { env, timeout: LIMIT_MS })).stdout.trim();
  // The plugin finds the engine where this process would.
  if (env.DOCKER_HOST !== undefined) process.env.DOCKER_HOST = env.DOCKER_HOST;
  const store = createMemoryStore();
  const plugins = [usePlugin(docker), usePlugin(orphans)];
  const kernel = createKernel({ project: { name: 'bench', dir }, plugins, store });

  async function removeByHand({ containers, networks, volumes }) {
    await run('rm', '--force', ...containers);
    await run('network', 'rm', ...networks);
    await run('volume', 'rm', ...volumes);
  }

  async function requireNothingLeft() {
    const mine = ['--quiet', '--filter', 'label=argusai.project=bench'];
    const left = await Promise.all([
      run('ps', '--all', ...mine),
      run('network', 'ls', ...mine),
      run('volume', 'ls', ...mine),
    ]);
    if (left.some((lines) => lines !== '')) throw new Error(`something is left: ${left.join(' ')}`);
  }

  const removing = (letter, remove) => ({
    before: async (round) =>
      leaveBehind(`r${round + 10}${letter}`, { run, image, busybox, store: await store.id() }),
    run: (_, things) => remove(things),
    after: requireNothingLeft,
  });
  atEnd(() => removeWithArgus(kernel));
  return {
    'one docker rm -f, network rm and volume rm': removing('h', removeByHand),
    argus: removing('a', () => removeWithArgus(kernel)),
  };
}

/** What it takes to remove what a dead run left. */
export default {
  title: 'Orphans',
  about:
    'Twenty things that a dead run left are removed: 14 running containers, 3 networks, 3 volumes. argus finds and judges them first, as at the beginning of a setup; the commands are given by somebody who knows all the names.',
  needsEngine: true,
  async prepare(context) {
    const { engine } = context;
    const [floor, missing] = ['one docker rm -f, network rm and volume rm', engine.missing];
    return {
      tables: [
        {
          title: 'Twenty things removed',
          rounds: 9,
          warmUps: 1,
          floor,
          contestants: missing
            ? { [floor]: { missing }, argus: { missing } }
            : contestantsOn(engine, context),
          bars: [{ of: 'argus', to: floor, most: 1.15 }],
        },
      ],
    };
  },
};
