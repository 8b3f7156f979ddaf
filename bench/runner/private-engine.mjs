import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { haveTools, onPath } from './debian.mjs';

const keeper = fileURLToPath(new URL('../../tests/support/engine-keeper.mjs', import.meta.url));
const OWN_IMAGE = 'argus-bench:busybox';

/** What a private engine needs, and where Debian has it. */
const tools = { dockerd: 'docker.io', iptables: 'iptables', ip: 'iproute2', busybox: 'busybox-static' };

/**
 * An engine of its own, with an image of this machine's busybox, to which the environment leads from then on; where that cannot
 * be, the engine that the environment leads to, with an image from a registry. Without either, why.
 */
export async function openEngine(env, tell) {
  const own = await ownEngine(env, tell);
  if (own.missing === undefined) return own;
  const docker = (...args) => promisify(execFile)('docker', args, { env, timeout: 120_000 });
  try {
    await docker('info');
    await docker('pull', '--quiet', 'busybox');
    return { image: 'busybox', busybox: ['/bin/busybox'] };
  } catch {
    // There is none at hand either; why there is none of its own tells more.
    return own;
  }
}

async function ownEngine(env, tell) {
  if (process.platform !== 'linux') return { missing: 'no Docker engine: one of its own needs Linux' };
  if (process.getuid?.() !== 0) return { missing: 'no Docker engine: one of its own needs root' };
  const missing = await haveTools(tools, tell);
  if (missing !== undefined) return { missing: `no Docker engine: ${missing}` };
  const engine = await startEngine();
  if (engine.missing !== undefined) return engine;
  env.DOCKER_HOST = engine.host;
  await importBusybox(engine.host);
  return { image: OWN_IMAGE, busybox: ['/busybox'], end: engine.end };
}

/** It ends with this program. */
async function startEngine() {
  // Nobody calls what it publishes, so it may have a network of its own and disturb no other engine.
  const child = spawn(process.execPath, [keeper, 'alone'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  const gone = once(child, 'exit');
  const end = async () => {
    child.stdin.end();
    await gone;
  };
  let reason = 'it ended at once';
  for await (const line of createInterface({ input: child.stdout })) {
    const { host, missing } = JSON.parse(line);
    if (missing === undefined) return { host, end };
    reason = missing;
    break;
  }
  await end();
  return { missing: `no Docker engine: ${reason}` };
}

/** Makes an image that has only busybox. */
async function importBusybox(host) {
  const { stdout } = await promisify(execFile)('readlink', ['-f', onPath('busybox')]);
  const folder = stdout.trim().replace(/\/[^/]+$/, '');
  const tar = spawn('tar', ['--create', '--directory', folder, 'busybox'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const load = spawn('docker', ['--host', host, 'import', '-', OWN_IMAGE], {
    stdio: [tar.stdout, 'ignore', 'inherit'],
  });
  const [code] = await once(load, 'exit');
  if (code !== 0) throw new Error('The image could not be made');
}
