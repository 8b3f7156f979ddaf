import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { haveTools } from './runner/debian.mjs';
import { peerFile, peersMissing } from './runner/peers.mjs';

const LIMIT_MS = 60_000;
const program = fileURLToPath(new URL('../packages/adapter-cli/dist/argus.js', import.meta.url));
const withTestcontainers = fileURLToPath(new URL('programs/testcontainers.cjs', import.meta.url));
const floor = 'docker run, all at once';
const execute = promisify(execFile);
const outputOf = async (file, args, options) =>
  (await execute(file, args, { timeout: LIMIT_MS, ...options })).stdout.trim();

/** Each brings up so many containers in a network of their own, and gives what takes them down. */
function waysFor(count, { image, command, env, dir }) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const cwd = join(dir, `of-${count}`);
  const docker = (...args) => outputOf('docker', args, { env });
  const services = Object.fromEntries(numbers.map((number) => [`s${number}`, { image, command }]));
  mkdirSync(cwd);

  function argus() {
    const config = { project: { name: `bench${count}` }, environment: { stopTimeout: '0s' }, services };
    writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify(config));
    const call = async (...args) =>
      JSON.parse(await outputOf(process.execPath, [program, ...args, '--format', 'json'], { env, cwd }));
    return {
      async run() {
        const { ok, data, error } = await call('setup');
        if (!ok || data.services.length !== count) throw new Error(`The setup failed: ${error?.message}`);
      },
      after: () => call('clean'),
    };
  }

  function byHand() {
    const network = `argus-bench-by-hand-${count}`;
    const names = numbers.map((number) => `${network}-${number}`);
    const start = (name) =>
      docker('run', '--detach', '--name', name, '--network', network, image, ...command);
    return {
      async run() {
        await docker('network', 'create', network);
        await Promise.all(names.map(start));
      },
      async after() {
        await docker('rm', '--force', ...names);
        await docker('network', 'rm', network);
      },
    };
  }

  function compose() {
    const stopped = Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, { ...service, stop_grace_period: '0s' }]),
    );
    writeFileSync(join(cwd, 'docker-compose.json'), JSON.stringify({ version: '2.4', services: stopped }));
    const args = ['--file', 'docker-compose.json', '--project-name', `benchcompose${count}`];
    const call = (...more) => outputOf('docker-compose', [...args, ...more], { env, cwd });
    return { run: () => call('up', '--detach'), after: () => call('down', '--timeout', '0') };
  }

  function testcontainers() {
    const settings = { ...env, TESTCONTAINERS_RYUK_DISABLED: 'true' };
    const args = [peerFile('testcontainers'), String(count), image, ...command];
    return {
      async run() {
        const child = fork(withTestcontainers, args, { env: settings, timeout: LIMIT_MS });
        const gone = once(child, 'exit');
        const [said] = await Promise.race([once(child, 'message'), gone]);
        if (said !== 'up') throw new Error(`It ended with ${said}`);
        return { child, gone };
      },
      async after(made) {
        made?.child.send('down');
        await made?.gone;
      },
    };
  }

  return { argus, byHand, compose, testcontainers };
}

function contestantsFor(count, { engine, env, dir, missingCompose }) {
  const names = [floor, 'argus setup', 'docker-compose', 'testcontainers'];
  const { missing } = engine;
  if (missing) return Object.fromEntries(names.map((name) => [name, { missing }]));
  const command = [...engine.busybox, 'sleep', '1000'];
  const ways = waysFor(count, { image: engine.image, command, env, dir });
  const missingPeers = peersMissing();
  return {
    [floor]: ways.byHand(),
    'argus setup': ways.argus(),
    'docker-compose': missingCompose ? { missing: missingCompose } : ways.compose(),
    testcontainers: missingPeers ? { missing: missingPeers } : ways.testcontainers(),
  };
}

/** How long it takes until several containers are up. */
export default {
  title: 'Setup',
  about:
    'Trivial containers in a network of their own are brought up. argus is the whole of `argus setup`: the start of the program, the gate, labels, leases and the look whether they run. The others do less: `docker network create` and a `docker run --detach` for each, all at once; `docker-compose up --detach`; a program that does it with testcontainers, from its start, without the reaper (which is an image from a registry). docker-compose is 1.29, the one that Debian has.',
  needsEngine: true,
  async prepare({ engine, env, dir, tell }) {
    const missingCompose = engine.missing ?? (await haveTools({ 'docker-compose': 'docker-compose' }, tell));
    const tables = [];
    for (const count of [5, 10]) {
      const peers = ['docker-compose', 'testcontainers'];
      const ahead = peers.map((to) => ({ of: 'argus setup', to, most: 1 }));
      const contestants = contestantsFor(count, { engine, env, dir, missingCompose });
      tables.push({
        title: `${count} containers brought up`,
        rounds: count === 10 ? 15 : 9,
        warmUps: 1,
        floor,
        peers,
        contestants,
        bars: count === 10 ? [{ of: 'argus setup', to: floor, most: 1.2 }, ...ahead] : ahead,
      });
    }
    return { tables };
  },
};
