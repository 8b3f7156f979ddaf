import {
  type ArgusConfig,
  EventBus,
  labelNames,
  type RunContext,
  type RunIdentity,
  systemClock,
} from '@argusai/core';
import { environmentOf } from '../../packages/core/src/environment/services/environment-of.js';
import type { DockerClient } from '../../packages/plugin-docker/src/client/docker-client.js';
import { createDockerRuntime } from '../../packages/plugin-docker/src/runtime/docker-runtime.js';

/** A command that Docker's client would have been started with. */
export interface Started {
  readonly args: readonly string[];
  /** What its environment has besides that of argus. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

/** The folder of the project whose commands are recorded. */
export const projectFolder = '/projects/shop';

/** Everything that Docker's client is started with for a configuration, from the building to the removal, with nobody there who answers. */
export async function startedBy(config: ArgusConfig): Promise<Started[]> {
  const started: Started[] = [];
  const client = recordingClient(started);
  const runtime = createDockerRuntime({ client, clock: systemClock, diskSpaceThreshold: 0 });
  const project = { name: config.project.name ?? 'shop', dir: projectFolder };
  const { services: all } = environmentOf(config, project);
  const services = all.filter((service) => runtime.runs(service));
  const run: RunIdentity = {
    id: 'r-1',
    project: project.name,
    worktree: project.dir,
    store: 'store-1',
    owner: { host: 'here', pid: 1, startedAt: 'now' },
  };
  const context: RunContext = {
    run,
    project,
    services: all,
    events: new EventBus(systemClock),
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const names = services.map(({ name }) => name);
  const { signal } = context;
  await runtime.prepare?.(context);
  for (const service of services) {
    await refusedOrDone(async () => void (await runtime.build?.(service, context)));
    await refusedOrDone(() => runtime.start(service, 'spec', context));
    const command = service.healthcheck?.command;
    if (command !== undefined) await runtime.exec(service, command, context);
    await runtime.disturb?.(run, service.name, 'kill', signal);
  }
  await runtime.stop?.(run, names, { graceMs: 1_000, signal });
  for await (const _ of runtime.logs(run, { services: names, tail: 1, follow: false }, signal));
  const resources = await runtime.resources({ project: project.name }, signal);
  await runtime.remove(resources, { graceMs: 1_000, signal });
  return started;
}

/** A command that cannot be started as it is written starts nothing. */
async function refusedOrDone(work: () => Promise<void>): Promise<void> {
  await work().catch((thrown: unknown) => {
    if (!(thrown instanceof Error && /could not be (started|built)/.test(thrown.message))) throw thrown;
  });
}

function recordingClient(started: Started[]): DockerClient {
  const note = (
    args: readonly string[],
    { env = {}, input = '' }: { env?: Readonly<Record<string, string>>; input?: string } = {},
  ) => void started.push({ args, env, input });
  const labels = { [labelNames.managed]: 'true', [labelNames.runId]: 'r-1' };
  return {
    async run(args, options) {
      note(args, options);
      return '';
    },
    async follow(args, options) {
      note(args, options);
      return { exitCode: 0, stdout: '', stderr: '' };
    },
    async *lines(args) {
      note(args);
      yield* [];
    },
    async inspect<T>(type: string, ids: readonly string[]) {
      note([type, 'inspect', '--', ...ids]);
      return ids.map((id) => ({
        Id: id,
        Name: `/${id}`,
        Config: { Labels: { ...labels, [labelNames.service]: id.slice('argus-shop-r-1-'.length) } },
        State: { Running: true, Status: 'running', StartedAt: '', FinishedAt: '' },
        HostConfig: { Memory: 0 },
        NetworkSettings: { Ports: {}, Networks: {} },
        IPAM: { Config: [] },
        Labels: labels,
      })) as T[];
    },
    async list(type, wanted) {
      note([type, 'ls', ...Object.entries(wanted).map(([name, value]) => `--filter=label=${name}=${value}`)]);
      return [];
    },
    dial: () => Promise.reject(new Error('there is no engine')),
    endsWell: async () => false,
    answers: async () => undefined,
    endpoint: async () => 'tcp://nowhere',
  };
}
