// What it takes to remove 20 things that a dead run left: the stage of a setup that finds, judges and removes them,
// against one batched `docker rm -f`, `docker network rm` and `docker volume rm` by somebody who knows all the names.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createKernel, createMemoryStore, labelsOf, usePlugin } from '@argusai/core';
import docker from '@argusai/plugin-docker';
import orphans from '@argusai/plugin-orphans';
import { median } from './interleave.mjs';
import { importBusybox, startEngine } from './private-engine.mjs';

const limit = 1.15;
const rounds = 7;
const counts = { containers: 14, networks: 3, volumes: 3 };
const image = 'argus-bench:busybox';
const execute = promisify(execFile);

const engine = await startEngine();
if (engine) {
  process.env.DOCKER_HOST = engine.host;
  try {
    process.exitCode = await compare(engine.host);
  } finally {
    await engine.end();
  }
}

async function compare(host) {
  await importBusybox(host, image);
  const store = createMemoryStore();
  const kernel = createKernel({
    project: { name: 'bench', dir: process.cwd() },
    plugins: [usePlugin(docker), usePlugin(orphans)],
    store,
  });
  const contestants = { 'by hand': removeByHand, argus: (things) => removeWithArgus(kernel, things) };
  const times = { 'by hand': [], argus: [] };
  for (let round = -1; round < rounds; round += 1) {
    const names = Object.keys(contestants);
    if (round % 2 === 0) names.reverse();
    for (const name of names) {
      const things = await leaveBehind(`r${round + 1}${name[0]}`, await store.id());
      const begun = performance.now();
      await contestants[name](things);
      if (round >= 0) times[name].push(performance.now() - begun);
      await requireNothingLeft();
    }
  }
  const [hand, argus] = [median(times['by hand']), median(times.argus)];
  const ratio = argus / hand;
  console.log(`removing ${Object.values(counts).reduce((a, b) => a + b)} things, median of ${rounds} rounds`);
  console.log(`by hand  ${hand.toFixed(0)} ms`);
  console.log(`argus    ${argus.toFixed(0)} ms, ${ratio.toFixed(2)} × by hand (limit ${limit})`);
  return ratio <= limit ? 0 : 1;
}

/** Running containers in their networks, with their volumes, all labelled as those of a run that nobody knows. */
async function leaveBehind(id, store) {
  const owner = { host: 'bench', pid: 1, startedAt: 'x' };
  const labels = labelsOf({ id, project: 'bench', worktree: process.cwd(), store, owner }, Date.now());
  const label = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
  const named = (kind, count) => Array.from({ length: count }, (_, index) => `bench-${id}-${kind}-${index}`);
  const networks = named('network', counts.networks);
  const volumes = named('volume', counts.volumes);
  const containers = named('container', counts.containers);
  for (const name of networks) await run('network', 'create', ...label, name);
  for (const name of volumes) await run('volume', 'create', ...label, name);
  for (const [index, name] of containers.entries()) {
    const network = networks[index % networks.length];
    const volume = `${volumes[index % volumes.length]}:/data`;
    const place = ['--network', network, '--volume', volume, '--name', name];
    await run('run', '--detach', ...label, ...place, image, '/busybox', 'sleep', '600');
  }
  return { containers, networks, volumes };
}

async function removeByHand({ containers, networks, volumes }) {
  await run('rm', '--force', ...containers);
  await run('network', 'rm', ...networks);
  await run('volume', 'rm', ...volumes);
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

async function requireNothingLeft() {
  const mine = ['--quiet', '--filter', 'label=argusai.project=bench'];
  const left = await Promise.all([
    run('ps', '--all', ...mine),
    run('network', 'ls', ...mine),
    run('volume', 'ls', ...mine),
  ]);
  if (left.some((lines) => lines !== '')) throw new Error(`something is left: ${left.join(' ')}`);
}

async function run(...args) {
  return (await execute('docker', args)).stdout.trim();
}
