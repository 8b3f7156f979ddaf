import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const keeper = fileURLToPath(new URL('../tests/support/engine-keeper.mjs', import.meta.url));

/** Starts a Docker engine of its own for a benchmark; nothing when this machine cannot. It ends with the program. */
export async function startEngine() {
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
  for await (const line of createInterface({ input: child.stdout })) {
    const { host, missing } = JSON.parse(line);
    if (missing === undefined) return { host, end };
    console.log(`no engine: ${missing}`);
    break;
  }
  await end();
  return undefined;
}

/** Makes an image that has only busybox, under this name. */
export async function importBusybox(host, name) {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'readlink -f "$(command -v busybox)"']);
  const folder = stdout.trim().replace(/\/[^/]+$/, '');
  const tar = spawn('tar', ['--create', '--directory', folder, 'busybox'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const load = spawn('docker', ['--host', host, 'import', '-', name], {
    stdio: [tar.stdout, 'ignore', 'inherit'],
  });
  const [code] = await once(load, 'exit');
  if (code !== 0) throw new Error('The image could not be made');
}

/**
 * The engine that this environment leads to, with an image from a registry, or one of its own, with one of this machine's
 * busybox, to which the environment leads from then on. Nothing when there is none.
 */
export async function openEngine(env) {
  const docker = (...args) => promisify(execFile)('docker', args, { env });
  try {
    await docker('info');
  } catch {
    const engine = await startEngine();
    if (!engine) return undefined;
    env.DOCKER_HOST = engine.host;
    await importBusybox(engine.host, 'argus-bench:busybox');
    return { image: 'argus-bench:busybox', busybox: ['/busybox'], end: engine.end };
  }
  await docker('pull', '--quiet', 'busybox');
  return { image: 'busybox', busybox: ['/bin/busybox'], end: async () => undefined };
}
