import {
  type ArgusConfig,
  createCircuits,
  createMemoryStore,
  EventBus,
  labelsOf,
  type RunContext,
  type RunIdentity,
  systemClock,
} from '@argusai/core';
import { environmentOf } from '../../packages/core/src/environment/services/environment-of.js';
import {
  clientOf,
  type DockerClientParts,
} from '../../packages/plugin-docker/src/client/create-docker-client.js';
import { type Call, Daemon } from '../../packages/plugin-docker/src/client/daemon.js';
import type { DockerClient, OutputLine } from '../../packages/plugin-docker/src/client/docker-client.js';
import type { Ended } from '../../packages/plugin-docker/src/client/run-docker.js';
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
  const project = { name: config.project.name ?? 'shop', dir: projectFolder };
  const { services: all } = environmentOf(config, project);
  const run: RunIdentity = {
    id: 'r-1',
    project: project.name,
    worktree: project.dir,
    store: 'store-1',
    owner: { host: 'here', pid: 1, startedAt: 'now' },
  };
  const client = recordingClient(started, run);
  const runtime = createDockerRuntime({ client, clock: systemClock, diskSpaceThreshold: 0 });
  const services = all.filter((service) => runtime.runs(service));
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

/** The client as it is, over a daemon that notes what it is asked to start, and starts nothing. */
function recordingClient(started: Started[], run: RunIdentity): DockerClient {
  const parts = { clock: systemClock, env: {}, circuits: noCircuits() };
  const client = clientOf(new RecordingDaemon(parts, started, run), parts);
  return { ...client, dial: () => Promise.reject(new Error('there is no engine')) };
}

function noCircuits() {
  const config = { enabled: false, failureThreshold: 5, resetTimeoutMs: 30_000 };
  const store = createMemoryStore({ clock: systemClock });
  return createCircuits({ store, clock: systemClock, events: new EventBus(systemClock), config });
}

class RecordingDaemon extends Daemon {
  readonly #started: Started[];
  readonly #run: RunIdentity;

  constructor(parts: DockerClientParts, started: Started[], run: RunIdentity) {
    super(parts);
    this.#started = started;
    this.#run = run;
  }

  override async call(args: readonly string[], { env = {}, input = '' }: Call): Promise<Ended> {
    this.#started.push({ args, env, input });
    return { exitCode: 0, stdout: answerTo(args, this.#run), stderr: '' };
  }

  override async *stream(args: readonly string[]): AsyncGenerator<OutputLine, Ended, void> {
    yield* [];
    return this.call(args, { signal: new AbortController().signal });
  }

  override async ping(): Promise<void> {
    // It is always there.
  }

  override async look(): Promise<undefined> {
    // It has no line open, so a client is started for each question.
  }

  override async endpoint(): Promise<string> {
    return 'tcp://nowhere';
  }
}

/** What an engine says that has everything that it is asked about. */
function answerTo(args: readonly string[], run: RunIdentity): string {
  if (args[1] === 'ls' || args[0] === 'ps') return `argus-shop-r-1-api\n`;
  if (args[1] !== 'inspect') return '';
  const ids = args.slice(args.indexOf('--') + 1);
  const objects = ids.map((id) => {
    const labels = labelsOf(run, 0, { name: id.slice('argus-shop-r-1-'.length), spec: 'spec' });
    return {
      Id: id,
      Name: id,
      Config: { Labels: labels },
      State: { Running: true, Status: 'running', StartedAt: '', FinishedAt: '' },
      HostConfig: { Memory: 0 },
      NetworkSettings: { Ports: {}, Networks: {} },
      IPAM: { Config: [] },
      Labels: labels,
    };
  });
  return JSON.stringify(objects);
}
