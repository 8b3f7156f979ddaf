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
  return startPrivateEngine();
}

/** The engine that the Docker client talks to by itself, if it answers. */
export async function engineAtHand(): Promise<EngineAddress | undefined> {
  const dockerRoot = await ask(['info', '--format', '{{.DockerRootDir}}']);
  if (!dockerRoot) return undefined;
  const host =
    process.env.DOCKER_HOST ?? (await ask(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']));
  return { host: host ?? 'unix:///var/run/docker.sock', dockerRoot };
}

/** Starts an engine that shares nothing with any other. It ends with this process at the latest. */
export async function startPrivateEngine(): Promise<Engine | NoEngine> {
  const child = spawn(process.execPath, [keeper], {
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
  for await (const line of createInterface({ input: child.stdout })) {
    const answer: EngineAddress | NoEngine = JSON.parse(line);
    if ('missing' in answer) await end();
    return 'missing' in answer ? answer : { ...answer, end };
  }
  return { missing: 'the private engine ended before it answered' };
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
