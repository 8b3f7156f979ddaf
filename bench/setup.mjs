/**
 * How long a whole `argus setup` of ten trivial containers takes, with the start of the program, the gate, labels, leases and
 * the look whether they run, beside a `docker network create` and ten `docker run --detach` at once by hand. The bar: 1.2
 * times as long. Exits with 1 when it is missed. Uses the engine at hand; without one, on Linux and as root, one of its own.
 * Build first.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './interleave.mjs';
import { openEngine } from './private-engine.mjs';

const CONTAINERS = 10;
const ROUNDS = 11;
const WARM_UPS = 2;
const BAR = 1.2;

const program = fileURLToPath(new URL('../packages/adapter-cli/dist/argus.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'argus-bench-'));
const env = { ...process.env, ARGUS_STATE_DIR: join(dir, 'state') };
// It makes every start of Node slower, and only argus is a Node program here.
delete env.NODE_EXTRA_CA_CERTS;
const execute = promisify(execFile);
const docker = async (...args) => (await execute('docker', args, { env })).stdout.trim();
const argus = async (...args) =>
  JSON.parse(
    (await execute(process.execPath, [program, ...args, '--format', 'json'], { env, cwd: dir })).stdout,
  );
const numbers = Array.from({ length: CONTAINERS }, (_, index) => index);

async function byHand({ image, command }) {
  const network = 'argus-bench-by-hand';
  await docker('network', 'create', network);
  const names = numbers.map((number) => `${network}-${number}`);
  await Promise.all(
    names.map((name) => docker('run', '--detach', '--name', name, '--network', network, image, ...command)),
  );
  return async () => {
    await docker('rm', '--force', ...names);
    await docker('network', 'rm', network);
  };
}

async function bySetup() {
  const { ok, data, error } = await argus('setup');
  if (!ok || data.services.length !== CONTAINERS) throw new Error(`The setup failed: ${error?.message}`);
  return () => argus('clean');
}

async function compare({ image, busybox }) {
  const command = [...busybox, 'sleep', '1000'];
  const services = Object.fromEntries(numbers.map((number) => [`s${number}`, { image, command }]));
  const config = { project: { name: 'bench' }, environment: { stopTimeout: '0s' }, services };
  writeFileSync(join(dir, 'argus.config.json'), JSON.stringify(config));
  const contestants = { 'by hand': () => byHand({ image, command }), 'argus setup': bySetup };
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // Keeps what it compiled, as the first check on a machine does.
  await argus('check');
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + WARM_UPS) % names.length];
      const begun = performance.now();
      const takeDown = await contestants[name]();
      if (round >= 0) times[name].push(performance.now() - begun);
      await takeDown();
    }
  }
  const base = median(times['by hand']);
  console.log(`${CONTAINERS} containers brought up, median of ${ROUNDS}, taken in turn`);
  for (const name of names) {
    const ms = median(times[name]);
    const spread = `${Math.min(...times[name]).toFixed(0)} to ${Math.max(...times[name]).toFixed(0)}`;
    console.log(
      `  ${name.padEnd(12)} ${ms.toFixed(0).padStart(6)} ms  ${(ms / base).toFixed(2)} × by hand  (${spread})`,
    );
  }
  const ratio = median(times['argus setup']) / base;
  console.log(
    `  bar: ${BAR} × by hand, argus ${ratio <= BAR ? 'holds' : 'misses'} it with ${ratio.toFixed(2)}`,
  );
  return ratio <= BAR ? 0 : 1;
}

const engine = await openEngine(env);
try {
  if (engine) process.exitCode = await compare(engine);
} finally {
  await engine?.end();
  rmSync(dir, { recursive: true, force: true });
}
