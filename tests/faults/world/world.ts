import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { beginCall, type Call } from '../../environment/container-call.js';

import { type Answer, answerOf } from './answer.js';
import { freePorts } from './free-ports.js';
import { endProcessesOf, processesOf } from './processes-of.js';

const execute = promisify(execFile);

/** The part of a configuration that scenarios write. */
export type Config = Readonly<Record<string, unknown>>;

/** Where a world is: on which engine, if any, and on whose state. */
export interface Place {
  readonly host?: string;
  /** Changes every configuration before it is written, so that the same project can do without something. */
  readonly adapt?: (config: Config) => Config;
  /** Another folder of the same project, with the same state. */
  readonly beside?: World;
  /** How long tests wait for what they test to work. */
  readonly patienceMs?: number;
}

/** A folder with a project in it, looked after by the built program, and everything that can be seen of it from outside. */
export interface World {
  readonly name: string;
  readonly dir: string;
  readonly state: string;
  /** The engine's address; empty where there is none. */
  readonly host: string;
  /** The first of ten ports that were free when the world was made. */
  readonly port: number;
  /** How long tests wait for what they test to work. */
  readonly patienceMs: number;
  /** All that argus has answered here so far. */
  readonly heard: readonly Answer[];
  /** Tells that the fault happens; gives the moment in which that was first told, in milliseconds since the epoch. */
  struck(): number;
  /** Runs a command of the built program to its end. */
  argus(...args: string[]): Promise<Answer>;
  /** Starts a command of the built program and follows what it says. */
  begin(args: readonly string[], env?: Readonly<Record<string, string>>): Call;
  /** Waits for a command that was begun, and keeps what it said. */
  finish(call: Call, args: readonly string[]): Promise<Answer>;
  /** Calls Docker by hand and gives its stdout. */
  docker(...args: string[]): Promise<string>;
  /** Writes a configuration. */
  configure(config: Config): Promise<void>;
  /** Writes a file. */
  write(path: string, content?: string): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /** Another folder of the same project and the same user. */
  sibling(): Promise<World>;
  /** The ids of the containers that carry the labels of this project and folder, by service. */
  containers(): Promise<Record<string, string>>;
  /** All containers, networks and volumes of the project, as `network name`. */
  resources(): Promise<string[]>;
  /** The processes that know of its state: services, what keeps them, argus itself. */
  processes(): Promise<string[]>;
}

/** Makes a world. Whatever is in it is gone when the test is over. */
export async function makeWorld({ host = '', beside, ...place }: Place): Promise<World> {
  const { adapt = (config) => config, patienceMs = 30_000 } = place;
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'argus-fault-')));
  const name = beside?.name ?? `fault-${randomUUID().slice(0, 8)}`;
  const state = beside?.state ?? join(dir, '.state');
  const env = {
    ...process.env,
    NO_COLOR: '1',
    ARGUS_STATE_DIR: state,
    DOCKER_HOST: host || 'unix:///nowhere',
  };
  const heard: Answer[] = [];
  let struckAt: number | undefined;
  const docker = async (...args: string[]) =>
    (await execute('docker', args, { env, timeout: 60_000 })).stdout.trim();
  const list = async (...args: string[]) => (await docker(...args)).split('\n').filter((line) => line !== '');
  const own = ['--filter', `label=argusai.project=${name}`];
  const world: World = {
    name,
    dir,
    state,
    host,
    heard,
    docker,
    patienceMs,
    port: await freePorts(10),
    struck() {
      struckAt ??= Date.now();
      return struckAt;
    },
    argus: (...args) => world.finish(world.begin(args), args),
    begin: (args, more) => beginCall(args, dir, { ...env, ...more }),
    async finish(call, args) {
      const answer = answerOf(args, await call.ended());
      heard.push(answer);
      return answer;
    },
    async configure(config) {
      // A short stop: the shells in these containers do not heed SIGTERM.
      const whole = adapt({ project: { name }, environment: { stopTimeout: '0s' }, ...config });
      await world.write('argus.config.json', JSON.stringify(whole));
    },
    async write(path, content = '') {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), content);
    },
    remove: (path) => rm(join(dir, path)),
    sibling: () => makeWorld({ host, adapt, beside: world }),
    async containers() {
      const format = '{{.Label "argusai.service"}} {{.ID}}';
      const here = ['--filter', `label=argusai.worktree=${dir}`];
      const listed = await list('ps', '--all', '--no-trunc', ...own, ...here, '--format', format);
      return Object.fromEntries(listed.map((line) => line.split(' ')));
    },
    async resources() {
      const kinds = ['container', 'network', 'volume'];
      const found = await Promise.all(
        kinds.map((kind) =>
          list(kind, 'ls', ...(kind === 'container' ? ['--all'] : []), ...own, '--format', '{{json .}}'),
        ),
      );
      return kinds.flatMap((kind, index) =>
        (found[index] ?? []).map(
          (line) => `${kind} ${JSON.parse(line)[kind === 'container' ? 'Names' : 'Name']}`,
        ),
      );
    },
    processes: () => processesOf(state),
  };
  onTestFinished(async () => {
    if (!beside) await endProcessesOf(state);
    if (!beside && host !== '') await removeAll(list, own);
    await rm(dir, { recursive: true, force: true });
  });
  return world;
}

async function removeAll(
  docker: (...args: string[]) => Promise<string[]>,
  own: readonly string[],
): Promise<void> {
  for (const [kind, all, force] of [
    ['container', ['--all'], ['--force', '--volumes']],
    ['network', [], []],
    ['volume', [], ['--force']],
    ['image', ['--all'], ['--force']],
  ] as const) {
    const ids = new Set(await docker(kind, 'ls', ...all, '--quiet', ...own));
    if (ids.size > 0) await docker(kind, 'rm', ...force, ...ids);
  }
}
