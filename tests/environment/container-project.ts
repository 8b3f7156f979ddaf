import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ResultOf } from '@argusai/core';
import { expect, onTestFinished } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { beginCall, type Call, type Trouble } from './container-call.js';

const execute = promisify(execFile);

type Check = ResultOf<'preflight-check'>;
type Clean = ResultOf<'clean'>;
type Plan = ResultOf<'plan-recovery'>;
type Setup = ResultOf<'setup'>;
type Status = ResultOf<'status'>;
type Service = Status['services'][number];

/** What the tests read of the results of all operations together. */
export interface Data
  extends Pick<Setup, 'runId' | 'unchanged' | 'portMappings' | 'vars' | 'env'>,
    Pick<Status, 'run'>,
    Pick<Check, 'overall'> {
  readonly services: readonly (Pick<Service, 'name' | 'runtime' | 'health' | 'message' | 'endpoints'> & {
    readonly status: (Setup | Status)['services'][number]['status'];
  })[];
  readonly orphanCleanup?: { readonly removed: readonly unknown[]; readonly failed: readonly unknown[] };
  readonly networkVerification?: { readonly allReachable: boolean };
  readonly checks: readonly (Pick<Check['checks'][number], 'name' | 'status' | 'message' | 'causedBy'> & {
    readonly error?: Trouble;
  })[];
  readonly removed: readonly Pick<Clean['removed'][number], 'type' | 'name'>[];
  readonly failed: Clean['failed'];
  readonly killed?: Clean['killed'];
  readonly lines: readonly Pick<ResultOf<'logs'>['lines'][number], 'service' | 'stream' | 'text'>[];
  readonly steps: readonly Pick<Plan['steps'][number], 'recoverer' | 'target'>[];
  readonly hash: NonNullable<Plan['hash']>;
  readonly circuits: readonly Pick<Status['circuits'][number], 'name' | 'state' | 'failureCount'>[];
  readonly outcome?: string;
  readonly notices?: readonly unknown[];
}

/** How a call of `argus --format json` ended. */
export interface Answer {
  readonly code: number;
  readonly ok: boolean;
  readonly data: Data;
  readonly error: Trouble;
}

/** What a project is made of. */
export interface ProjectWish {
  /** As an object, or the text of a YAML file. */
  readonly config: Record<string, unknown> | string;
  readonly files?: Readonly<Record<string, string>>;
  /** Another one's name, for a second worktree; with its state, of the same user. */
  readonly like?: Pick<ContainerProject, 'name'> & Partial<Pick<ContainerProject, 'state'>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A project with services on a real engine, looked after by the built program. */
export interface ContainerProject {
  readonly name: string;
  readonly dir: string;
  readonly state: string;
  /** Runs a command of argus to its end. */
  argus(...args: string[]): Promise<Answer>;
  /** Starts a command of argus and follows what it says. */
  begin(args: readonly string[], env?: Readonly<Record<string, string>>): Call;
  /** Calls Docker by hand and gives its stdout. */
  docker(...args: string[]): Promise<string>;
  /** Writes another file. */
  write(path: string, content: string): Promise<void>;
  /** Writes another configuration. */
  configure(config: Record<string, unknown>): Promise<void>;
  /** The ids of all containers that carry the labels of this project and folder, by service. */
  containers(): Promise<Record<string, string>>;
  /** Everything that carries them, as `container name`, `network name`, `volume name`. */
  resources(): Promise<string[]>;
  /** The command lines of all processes that know of its state: services, those that keep them, argus, its clients. */
  processes(): Promise<string[]>;
}

/** Makes a project in a folder of its own. Whatever it starts is gone when the test is over. */
export async function containerProject(host: string, wish: ProjectWish): Promise<ContainerProject> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'argus-project-')));
  const name = wish.like?.name ?? `try-${randomUUID().slice(0, 8)}`;
  const state = wish.like?.state ?? join(dir, '.state');
  const env = { DOCKER_HOST: host, NO_COLOR: '1', ...wish.env };
  const docker = async (...args: string[]) =>
    (await execute('docker', args, { env: { ...process.env, DOCKER_HOST: host } })).stdout.trim();
  const own = ['--filter', `label=argusai.project=${name}`, '--filter', `label=argusai.worktree=${dir}`];
  const project: ContainerProject = {
    name,
    dir,
    state,
    docker,
    async argus(...args) {
      const { code, stdout, stderr } = await runArgus([...args, '--format', 'json'], {
        cwd: dir,
        state,
        env,
      });
      if (stdout === '') throw new Error(`argus ${args.join(' ')} printed nothing: ${stderr}`);
      return { code, ...JSON.parse(stdout) };
    },
    begin: (args, more) => beginCall(args, dir, { ...process.env, ...env, ...more, ARGUS_STATE_DIR: state }),
    async write(path, content) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), content);
    },
    configure(config) {
      // A short stop: the shells in these containers do not heed SIGTERM.
      const whole = { project: { name }, environment: { stopTimeout: '0s' }, ...config };
      return project.write('argus.config.json', JSON.stringify(whole));
    },
    async containers() {
      const format = '{{.Label "argusai.service"}} {{.ID}}';
      const listed = await docker('ps', '--all', '--no-trunc', ...own, '--format', format);
      return Object.fromEntries(listed.split('\n').flatMap((line) => (line ? [line.split(' ')] : [])));
    },
    async resources() {
      const [containers, networks, volumes] = await Promise.all([
        docker('ps', '--all', ...own, '--format', '{{.Names}}'),
        docker('network', 'ls', ...own, '--format', '{{.Name}}'),
        docker('volume', 'ls', ...own, '--format', '{{.Name}}'),
      ]);
      const named = (type: string, text: string) =>
        text.split('\n').flatMap((line) => (line ? [`${type} ${line}`] : []));
      return [...named('container', containers), ...named('network', networks), ...named('volume', volumes)];
    },
    async processes() {
      const options = { maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await execute('ps', ['axeww', '-o', 'stat=,command='], options);
      const alive = stdout.split('\n').filter((line) => line.includes(state) && !line.startsWith('Z'));
      return alive.map((line) => line.slice(0, 200));
    },
  };
  onTestFinished(async () => {
    await runArgus(['clean'], { cwd: dir, state, env });
    if (!wish.like) await removeAll(project);
    await rm(dir, { recursive: true, force: true });
  });
  if (typeof wish.config === 'string') await project.write('argus.config.yaml', wish.config);
  else await project.configure(wish.config);
  for (const [path, content] of Object.entries(wish.files ?? {})) await project.write(path, content);
  return project;
}

/** A service in the test image that serves one page with its own name on it. */
export function webService(image: string, name: string, rest: Record<string, unknown> = {}) {
  const serve = `mkdir -p /www && echo ${name} > /www/index.html && exec httpd -f -p 80 -h /www`;
  return { image, command: ['sh', '-c', serve], ...rest };
}

/** A service in the test image that does nothing. */
export function idleService(image: string, rest: Record<string, unknown> = {}) {
  return { image, command: ['sleep', '1000'], ...rest };
}

/** Expects an answer without an error, and gives its data. */
export function dataOf({ error, data }: Answer): Data {
  expect(error).toBeUndefined();
  return data;
}

/** The text at a URL. */
export async function textFrom(url = ''): Promise<string> {
  return (await (await fetch(url)).text()).trim();
}

async function removeAll({ docker, name }: ContainerProject): Promise<void> {
  const label = ['--quiet', '--filter', `label=argusai.project=${name}`];
  const rm = async (list: string[], remove: string[]) => {
    const ids = (await docker(...list, ...label)).split('\n').filter((id) => id !== '');
    if (ids.length > 0) await docker(...remove, ...ids);
  };
  await rm(['ps', '--all'], ['rm', '--force', '--volumes']);
  await rm(['network', 'ls'], ['network', 'rm']);
  await rm(['volume', 'ls'], ['volume', 'rm']);
  await rm(['images'], ['rmi', '--force']);
}
