import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getTools } from './engine-tools.js';

/** Where an engine answers. */
export interface EngineAddress {
  /** For `DOCKER_HOST`. */
  readonly host: string;
  /** The folder in which the engine keeps images and containers. */
  readonly dockerRoot: string;
}

/** An engine that can be used until it is ended. */
export interface Engine extends EngineAddress {
  /** Ends it, unless it was there before us. */
  end(): Promise<void>;
}

/** An engine of its own, which a test may stop, hang and kill. */
export interface PrivateEngine extends Engine {
  /** Starts it again after it was killed. It has what it had: images, networks, volumes, and containers that ended. */
  startAgain(): Promise<void>;
}

/** Why there is no engine. */
export interface NoEngine {
  readonly missing: string;
}

const keeper = fileURLToPath(new URL('./engine-keeper.mjs', import.meta.url));

/** The engine at hand, else a private one, else the reason why there is none. */
export async function openEngine(say: (line: string) => void): Promise<Engine | NoEngine> {
  const found = await engineAtHand();
  if (found) return { ...found, end: async () => undefined };
  const missing = await getTools(say);
  if (missing !== undefined) return { missing };
  return startPrivateEngine({ reachable: true });
}

/** The engine that the Docker client talks to by itself, if it answers. */
async function engineAtHand(): Promise<EngineAddress | undefined> {
  const dockerRoot = await ask(['info', '--format', '{{.DockerRootDir}}']);
  if (!dockerRoot) return undefined;
  const host =
    process.env.DOCKER_HOST ?? (await ask(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']));
  return { host: host ?? 'unix:///var/run/docker.sock', dockerRoot };
}

/**
 * Starts an engine that shares nothing with any other. It ends with this process at the latest. Only ports that a `reachable`
 * one publishes can be reached from here. When such a one starts, it sets up the firewall of its network anew, and whoever
 * makes a network there in that moment fails. So only the engine of the whole run may be reachable in the network of the
 * machine; others are alone, or in a network that was made for them, given as a file of `/proc`.
 */
export async function startPrivateEngine({
  reachable = false,
  network = '',
} = {}): Promise<PrivateEngine | NoEngine> {
  const command = [process.execPath, keeper, ...(reachable ? [] : ['alone'])];
  const [program = '', ...args] = network === '' ? command : ['nsenter', `--net=${network}`, ...command];
  const child = spawn(program, args, {
    // Away from the terminal's Ctrl-C: it ends when we close its input, or are gone.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` },
  });
  const gone = once(child, 'exit');
  const end = async () => {
    child.stdin.end();
    await gone;
  };
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<EngineAddress | NoEngine> => {
    const { value, done } = await lines.next();
    return done ? { missing: 'the private engine ended before it answered' } : JSON.parse(value);
  };
  const startAgain = async () => {
    child.stdin.write('start\n');
    const again = await answer();
    if ('missing' in again) throw new Error(again.missing);
  };
  const first = await answer();
  if ('missing' in first) await end();
  return 'missing' in first ? first : { ...first, end, startAgain };
}

async function ask(args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('docker', args, { timeout: 10_000 });
    return stdout.trim();
  } catch {
    // No client, no engine, or one that does not answer: all mean that there is none at hand.
    return undefined;
  }
}
