import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '@argusai/store-sqlite';
import { onTestFinished } from 'vitest';
import { folderWith } from '../support/folder-with.js';
import { argusProgram, type Ended, runArgus } from '../support/run-command.js';

const server = fileURLToPath(new URL('./fixtures/server.mjs', import.meta.url));

/** What the tests read of the results of all operations together. */
export interface Data {
  readonly runId: string;
  readonly unchanged: boolean;
  readonly services: readonly { name: string; status: string; health: string; endpoints: string[] }[];
  readonly portMappings: readonly {
    service: string;
    originalPort: number;
    actualPort: number;
    reassigned: boolean;
  }[];
  readonly vars: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly orphanCleanup?: { readonly removed: readonly { name: string; runId: string }[] };
  readonly leaseUntil: number;
  readonly run: { readonly id: string; readonly state: string; readonly alive: boolean } | null;
  readonly otherRuns: readonly { id: string; alive: boolean }[];
  readonly removed: readonly { type: string; name: string; runId: string }[];
  readonly failed: readonly unknown[];
  readonly notices: readonly unknown[];
  readonly outcome?: string;
  readonly lines: readonly { service: string; stream: string; text: string }[];
}

/** A structured error as it is printed. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly details: {
    readonly rollback?: { readonly removed: string[]; readonly failed: string[] };
    readonly report?: { readonly overall: string; readonly checks: readonly { name: string }[] };
    readonly service?: string;
    readonly pid?: number;
    readonly where?: { readonly key: string };
  };
}

/** What the program printed: the envelope of its answer. */
export interface Answer extends Ended {
  readonly ok: boolean;
  readonly data: Data;
  readonly error: Trouble;
}

/** A folder with services that are commands, and a state folder of its own unless it shares one. */
export interface ProcessProject {
  readonly dir: string;
  readonly state: string;
  /** Writes another configuration. */
  configure(config: object | string): Promise<void>;
  /** Runs the built program here to its end. */
  argus(...args: string[]): Promise<Answer>;
  /** Starts the built program here and reads what it tells. */
  start(...args: string[]): Telling;
  /** What is left: processes that belong to this state folder, and what the store knows. */
  leftovers(): Promise<{ processes: string[]; records: string[] }>;
}

/** Makes a project. Whatever it leaves running is ended with the test. */
export async function processProject(
  config: object | string,
  { state }: { readonly state?: string } = {},
): Promise<ProcessProject> {
  const dir = await folderWith({});
  const stateDir = state ?? join(await folderWith({}), 'state');
  const project: ProcessProject = {
    dir,
    state: stateDir,
    async configure(changed) {
      const isText = typeof changed === 'string';
      await rm(join(dir, isText ? 'argus.config.json' : 'argus.config.yaml'), { force: true });
      const text = isText ? changed : JSON.stringify({ project: { name: 'demo' }, ...changed });
      await writeFile(join(dir, `argus.config.${isText ? 'yaml' : 'json'}`), text);
    },
    async argus(...args) {
      const ended = await runArgus([...args, '--format', 'json'], { cwd: dir, state: stateDir });
      try {
        return { ...ended, ...JSON.parse(ended.stdout) };
      } catch {
        throw new Error(`${args.join(' ')} gave no answer: ${JSON.stringify(ended)}`);
      }
    },
    start: (...args) => tell(args, dir, stateDir),
    leftovers: async () => ({ processes: await processesOf(stateDir), records: await recordsIn(stateDir) }),
  };
  await project.configure(config);
  onTestFinished(async () => {
    for (const line of await processesOf(stateDir)) kill(Number.parseInt(line, 10));
  });
  return project;
}

/** A service of the server in the fixtures, on a port. */
export function serverOn(
  port: number,
  { args = [], ...rest }: { args?: string[]; [setting: string]: unknown } = {},
) {
  const ports = [`${port}:${port}`];
  const command = [process.execPath, server, ...args];
  const healthcheck = { http: '/health', interval: '50ms', timeout: '5s', retries: 3, startPeriod: '60s' };
  return { command, ports, healthcheck, ...rest };
}

/** What a server of the fixtures says of itself. */
export async function ask(
  port: number,
): Promise<{ pid: number; cwd: string; argv: string[]; env: Record<string, string> }> {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  return (await response.json()) as never;
}

/** The program at work, and what it has told so far. */
export interface Telling {
  readonly child: ChildProcess;
  /** The next thing that fits; fails when the program ends before. */
  until(fits: (event: ToldEvent) => boolean): Promise<ToldEvent>;
  /** How it ended, with its last words. */
  readonly ended: Promise<{ code: number | null; signal: string | null; result: Answer | undefined }>;
}

/** An event, or the result, as `--format ndjson` prints it. */
export interface ToldEvent {
  readonly type: string;
  readonly data?: { readonly service?: string; readonly state?: string; readonly stage?: string };
}

function tell(args: readonly string[], cwd: string, state: string): Telling {
  const env = { ...process.env, ARGUS_STATE_DIR: state };
  const child = spawn(process.execPath, [argusProgram, ...args, '--format', 'ndjson'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: ToldEvent[] = [];
  let news: () => void = () => undefined;
  let isOver = false;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    told.push(JSON.parse(line));
    news();
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(([[code, signal]]) => {
    isOver = true;
    news();
    return { code, signal, result: told.find(({ type }) => type === 'result') as unknown as Answer };
  });
  return {
    child,
    ended,
    async until(fits) {
      for (;;) {
        const found = told.find(fits);
        if (found) return found;
        if (isOver) throw new Error(`it ended before; it told ${JSON.stringify(told)}`);
        await new Promise<void>((resolve) => {
          news = resolve;
        });
      }
    },
  };
}

/** The processes whose command line or environment names a folder: keepers, services, and argus itself. */
function processesOf(state: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile('ps', ['axeww', '-o', 'pid=,stat=,command='], options, (error, stdout) => {
      if (error) return reject(error);
      const lines = stdout.split('\n').filter((line) => line.includes(state) && !/^\s*\d+\s+Z/.test(line));
      resolve(lines.map((line) => line.trim().slice(0, 200)));
    });
  });
}

/** What the store knows of runs, processes and ports. */
async function recordsIn(dir: string): Promise<string[]> {
  const store = createSqliteStore({ dir });
  try {
    const namespaces = ['runs', 'worktrees', 'processes', 'port-leases'];
    const found = await Promise.all(namespaces.map((namespace) => store.list(namespace)));
    return found.flat().map(({ namespace, key }) => `${namespace}/${key}`);
  } finally {
    await store.close();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

// Test files run side by side; each of the processes that run them has ports of its own to choose from. They are below
// those that the system gives to connections, so that nobody comes upon them by chance.
const firstPort = 10_240 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * 500;

/** Those that were given last: a test that asks twice means different ones, also when it does not hold them yet. */
const given: number[] = [];

/** The port of memcached: whoever asks for it is told of `tcp://` and not of `http://`. */
const memcached = 11_211;

/** So many ports in a row that are free; gives the first. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(firstPort, firstPort + 500 - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (ports.some((port) => port === memcached || given.includes(port))) continue;
    const free = await Promise.all(ports.map(isFree));
    if (!free.every(Boolean)) continue;
    given.push(...ports);
    given.splice(0, given.length - 100);
    return first;
  }
}

/** Takes a port until it is let go, or the test is over. */
export async function takePort(port: number): Promise<{ letGo(): Promise<unknown> }> {
  const holder = createServer();
  holder.listen(port, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  return { letGo: () => once(holder.close(), 'close') };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once('error', () => resolve(false));
    trial.listen(port, () => trial.close(() => resolve(true)));
  });
}
