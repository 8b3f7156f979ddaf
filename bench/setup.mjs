/**
 * How long a whole `argus setup` of ten trivial containers takes, with the start of the program, the gate, labels, leases and
 * the look whether they run, beside a `docker network create` and ten `docker run --detach` at once by hand. The bar: 1.2
 * times as long. Exits with 1 when it is missed. Uses the engine at hand; without one, on Linux and as root, one of its own.
 * Build first.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './interleave.mjs';

const CONTAINERS = 10;
const ROUNDS = 11;
const WARM_UPS = 2;
const BAR = 1.2;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const program = here('../packages/adapter-cli/dist/argus.js');
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

/** The engine at hand, or one that ends with this program. Gives back how to end it. */
async function openEngine() {
  try {
    await docker('info');
    return async () => undefined;
  } catch {
    const keeper = spawn(process.execPath, [here('../tests/support/engine-keeper.mjs'), 'alone'], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter) },
    });
    const [line] = await once(createInterface({ input: keeper.stdout }), 'line');
    const { host, missing } = JSON.parse(line);
    if (missing) throw new Error(`No engine answers and none can be started: ${missing}`);
    env.DOCKER_HOST = host;
    return async () => {
      keeper.stdin.end();
      await once(keeper, 'exit');
    };
  }
}

/** A small image: busybox from this machine where it has one, which is static in Debian's busybox-static, else from a registry. */
async function makeImage() {
  const folder = join(dir, 'image');
  try {
    const { stdout } = await execute('sh', ['-c', 'command -v busybox']);
    await execute('mkdir', [folder]);
    copyFileSync(stdout.trim(), join(folder, 'busybox'));
  } catch {
    await docker('pull', 'busybox');
    return 'busybox';
  }
  writeFileSync(
    join(folder, 'Dockerfile'),
    'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n',
  );
  await docker('build', '--quiet', '--tag', 'argus-bench', folder);
  return 'argus-bench';
}

async function byHand(image) {
  await docker('network', 'create', 'argus-bench-by-hand');
  const names = numbers.map((number) => `argus-bench-by-hand-${number}`);
  await Promise.all(
    names.map((name) =>
      docker('run', '--detach', '--name', name, '--network', 'argus-bench-by-hand', image, 'sleep', '1000'),
    ),
  );
  return async () => {
    await docker('rm', '--force', ...names);
    await docker('network', 'rm', 'argus-bench-by-hand');
  };
}

async function bySetup() {
  const { ok, data, error } = await argus('setup');
  if (!ok || data.services.length !== CONTAINERS) throw new Error(`The setup failed: ${error?.message}`);
  return async () => {
    await argus('clean');
  };
}

const endEngine = await openEngine();
try {
  const image = await makeImage();
  const services = Object.fromEntries(
    numbers.map((number) => [`s${number}`, { image, command: 'sleep 1000' }]),
  );
  const environment = { stopTimeout: '0s' };
  writeFileSync(
    join(dir, 'argus.config.json'),
    JSON.stringify({ project: { name: 'bench' }, environment, services }),
  );
  const contestants = { 'by hand': () => byHand(image), 'argus setup': bySetup };
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + WARM_UPS) % names.length];
      const begun = process.hrtime.bigint();
      const takeDown = await contestants[name]();
      const taken = Number(process.hrtime.bigint() - begun) / 1e6;
      await takeDown();
      if (round >= 0) times[name].push(taken);
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
  if (ratio > BAR) process.exitCode = 1;
} finally {
  await endEngine();
  rmSync(dir, { recursive: true, force: true });
}
