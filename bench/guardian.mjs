/**
 * How long it takes from the death of a service until its replacement runs, with no delay configured: a container under
 * `argus setup --guard` beside one with Docker's own `--restart on-failure`, and a process beside a bare respawn by the
 * parent that is told of its end. The bars: no later than Docker, 1.5 times the respawn. Exits with 1 when one is missed. The
 * containers need an engine: the one at hand, or, on Linux and as root, one of its own. Build first.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './interleave.mjs';
import { openEngine } from './private-engine.mjs';

const ROUNDS = 15;
const WARM_UPS = 2;
const PATIENCE_MS = 60_000;
const BARS = { container: 1, process: 1.5 };

const program = fileURLToPath(new URL('../packages/adapter-cli/dist/argus.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'argus-bench-'));
const env = { ...process.env, ARGUS_STATE_DIR: join(root, 'state') };
// It makes every start of Node slower, by as much in both, and hides the difference.
delete env.NODE_EXTRA_CA_CERTS;
const execute = promisify(execFile);
const docker = async (...args) => (await execute('docker', args, { env })).stdout.trim();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const container = { restartDelay: '0s', stabilityWindow: '0s', maxRestarts: 10, stormLimit: { max: 1_000 } };

/** A project that is up and guarded in the background. */
async function guarded(name, services) {
  const cwd = join(root, name);
  const argus = async (...args) => {
    const { stdout } = await execute(process.execPath, [program, ...args, '--format', 'json'], { env, cwd });
    const { ok, data, error } = JSON.parse(stdout);
    if (!ok) throw new Error(`argus ${args.join(' ')}: ${error.message}`);
    return data;
  };
  const config = {
    project: { name },
    services,
    resilience: { container },
    environment: { stopTimeout: '0s' },
  };
  await execute('mkdir', ['-p', cwd]);
  writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify(config));
  const { guardian, runId } = await argus('setup', '--guard');
  if (!guardian?.guarding) throw new Error('Nobody guards');
  return { runId, takeDown: () => argus('clean') };
}

/** Times contestants in turn; each gives the milliseconds of one death. */
async function compare(title, contestants, bar) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + WARM_UPS) % names.length];
      const ms = await contestants[name]();
      if (round >= 0) times[name].push(ms);
    }
  }
  const base = median(times[names[0]]);
  console.log(`${title}, median of ${ROUNDS}, taken in turn`);
  for (const name of names) {
    const ms = median(times[name]);
    const spread = `${Math.min(...times[name]).toFixed(0)} to ${Math.max(...times[name]).toFixed(0)}`;
    console.log(
      `  ${name.padEnd(12)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / base).toFixed(2)} × ${names[0]}  (${spread})`,
    );
  }
  const ratio = median(times[names[1]]) / base;
  console.log(
    `  bar: ${bar} × ${names[0]}, argus ${ratio <= bar ? 'holds' : 'misses'} it with ${ratio.toFixed(2)}`,
  );
  return ratio <= bar;
}

/** Ends when a file appears, and takes it away first. By the engine's own times: when it ended, when it began again. */
const waiting = (busybox) =>
  `while true; do if ${busybox} test -e /die; then ${busybox} rm /die; exit 1; fi; ${busybox} usleep 5000; done`;

async function diesAndReturns(name, busybox) {
  const format = '{{.State.Running}} {{.State.StartedAt}} {{.State.FinishedAt}}';
  const look = async () => (await docker('inspect', '--format', format, name)).split(' ');
  const [, before] = await look();
  // It may be gone before it could say that it was done.
  await docker('exec', name, ...busybox, 'touch', '/die').catch(() => undefined);
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const [running, started, finished] = await look();
    if (running === 'true' && started !== before) {
      // Docker doubles its delay when a container did not last ten seconds, so each death must be the first in a while.
      return Date.parse(started) - Date.parse(finished);
    }
    // The engine says when it was, so whoever asks need not be quick, and had better not keep the processors busy.
    await pause(250);
  }
  throw new Error(`${name} did not come back`);
}

async function containers(engine) {
  const { image, busybox } = engine;
  const command = [...busybox, 'sh', '-c', waiting(busybox.join(' '))];
  const { runId, takeDown } = await guarded('guarded', { api: { image, command } });
  const ours = (await docker('ps', '--quiet', '--filter', `label=argusai.run-id=${runId}`)).trim();
  // As a service of an environment has it.
  const network = await docker('network', 'create', 'argus-bench-guardian');
  const contestants = {
    async docker() {
      // A new one each time: its first death is the one that Docker answers soonest.
      const id = await docker(
        'run',
        '--detach',
        '--restart',
        'on-failure',
        '--network',
        network,
        image,
        ...command,
      );
      try {
        return await diesAndReturns(id, busybox);
      } finally {
        await docker('rm', '--force', id);
      }
    },
    async argus() {
      // It has to be known as well again before it may die again.
      await pause(1_000);
      return diesAndReturns(ours, busybox);
    },
  };
  try {
    return await compare('container, from its end to the next start', contestants, BARS.container);
  } finally {
    await takeDown();
    await docker('network', 'rm', network);
  }
}

/** Hears from each process as soon as it runs. */
async function listenForStarts() {
  const waitingFor = new Map();
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text) => {
      const at = performance.now();
      const { name, pid } = JSON.parse(text);
      waitingFor.get(name)?.({ pid, at });
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const next = (name) => new Promise((resolve) => waitingFor.set(name, resolve));
  return { port: server.address().port, next, close: () => server.close() };
}

const says = (name, port) =>
  `require('node:net').connect(${port}, '127.0.0.1').end(JSON.stringify({ name: '${name}', pid: process.pid })); setInterval(() => {}, 1e6)`;

async function processes() {
  const { port, next, close } = await listenForStarts();
  const respawner = join(root, 'respawner.mjs');
  writeFileSync(
    respawner,
    `import { spawn } from 'node:child_process';
     const start = () => spawn(process.execPath, ['-e', process.argv[2]], { stdio: 'ignore' }).once('exit', start);
     start();`,
  );
  const current = {};
  const dies = async (name) => {
    const returned = next(name);
    const begun = performance.now();
    process.kill(current[name], 'SIGKILL');
    const { pid, at } = await returned;
    current[name] = pid;
    // It has to be known as well again before it may die again.
    await pause(300);
    return at - begun;
  };
  const first = { respawn: next('respawn'), argus: next('argus') };
  const parent = fork(respawner, [says('respawn', port)], { stdio: 'ignore', env });
  const command = [process.execPath, '-e', says('argus', port)];
  const { takeDown } = await guarded('processes', { api: { command } });
  for (const name of ['respawn', 'argus']) current[name] = (await first[name]).pid;
  try {
    const contestants = { respawn: () => dies('respawn'), argus: () => dies('argus') };
    return await compare('process, from its end to a word from the next', contestants, BARS.process);
  } finally {
    parent.kill('SIGKILL');
    process.kill(current.respawn, 'SIGKILL');
    await takeDown();
    close();
  }
}

let engine;
try {
  const held = [await processes()];
  engine = await openEngine(env);
  if (engine) held.push(await containers(engine));
  process.exitCode = held.every(Boolean) ? 0 : 1;
} finally {
  await engine?.end();
  rmSync(root, { recursive: true, force: true });
}
