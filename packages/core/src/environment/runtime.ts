import type { EventBus } from '../events/event-bus.js';
import type { JsonObject } from '../model/json.js';
import type { Project } from '../model/project.js';
import type { Clock } from '../time/clock.js';
import type { Removal, Resource } from './ownership/resource.js';
import type { RunIdentity } from './runs/run-record.js';
import type { ServiceSpec } from './services/service-spec.js';
import type { Holder } from './sockets/socket-table.js';

/** What a runtime is given to work for a run. */
export interface RunContext {
  readonly run: RunIdentity;
  readonly project: Project;
  /** All services of the environment, with the ports they really have. */
  readonly services: readonly ServiceSpec[];
  /** Addresses of this machine at which the run's containers ask for what runs outside of them, once that is known. */
  readonly gateways?: readonly string[];
  readonly events: EventBus;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a runtime is given to build an image. */
export interface BuildContext extends Omit<RunContext, 'run'> {
  /**
   * Notes a process of this machine that works for the build, so that whoever comes after a killed argus can end it. Gives what strikes
   * it off again. Neither ever rejects.
   */
  noteProcess?(pid: number): Promise<() => Promise<void>>;
}

/** How one service is now, by the runtime's own word. */
export interface ServiceState {
  readonly service: string;
  /** `missing`: there is nothing of that service; `exited`: there was, and it ended. */
  readonly status: 'running' | 'exited' | 'missing';
  /** It runs and does nothing until somebody lets it go on: a paused container, a stopped process. Left out where nobody can tell. */
  readonly paused?: true;
  /** What the runtime knows it by. */
  readonly id?: string;
  /** The spec hash it was started from. */
  readonly spec?: string;
  /** The health that the image's own check reports, where it has one. */
  readonly health?: 'starting' | 'healthy' | 'unhealthy';
  /** What that check said last, oldest first. */
  readonly healthOutputs?: readonly string[];
  readonly exitCode?: number;
  /** It ended because its memory ran out, not only since that happened to one of its processes. */
  readonly oomKilled?: boolean;
  /**
   * When the memory ran out that it ended of, in this very start; milliseconds since the epoch. Left out where the runtime does
   * not know when, as one does not that repeats `oomKilled` after the service was started again.
   */
  readonly oomAt?: number;
  /** Why it should be replaced although it runs, where the runtime knows of something. */
  readonly flaw?: string;
  /** Bytes, as far as the runtime knows them. */
  readonly memory?: { readonly limit?: number };
  readonly restarts?: number;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** When it ended; milliseconds since the epoch. */
  readonly endedAt?: number;
  /** Host ports that the runtime chose by itself. */
  readonly ports?: ServiceSpec['ports'];
  readonly details?: JsonObject;
}

/** One line of a service's output. */
export interface LogLine {
  readonly service: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** Milliseconds since the epoch, where it is known. */
  readonly at?: number;
}

/** Which part of the logs. */
export interface LogQuery {
  readonly services: readonly string[];
  /** So many of the newest lines of each service. */
  readonly tail?: number;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  /**
   * None that was written after this moment; of those before it, `tail` counts the newest. Milliseconds since the epoch. Only
   * a runtime that `keepsLines` is asked for it.
   */
  readonly until?: number;
  /** Go on until the signal aborts. */
  readonly follow: boolean;
}

/** Something that happened to a service. */
export interface RuntimeEvent {
  readonly service: string;
  /** `oom`: one of its processes was killed for its memory; `killed`: somebody had the runtime kill it. */
  readonly type:
    | 'started'
    | 'exited'
    | 'removed'
    | 'oom'
    | 'killed'
    | 'healthy'
    | 'unhealthy'
    | 'paused'
    | 'resumed';
  readonly exitCode?: number;
  /** What the runtime knows it by. */
  readonly id?: string;
  /** The spec hash it was started from. */
  readonly spec?: string;
  readonly at: number;
}

/** How a service can be harmed on purpose, and how that is taken back. */
export type Disturbance = 'kill' | 'pause' | 'resume';

/** Starts, stops, inspects and watches services. A driver: it has no policy of its own. */
export interface Runtime {
  /** The plugin's name: `docker`, `process`. */
  readonly name: string;
  /**
   * What a service printed before a start can be read and told apart after it, by the time of each line. Then reading it need
   * not hold up a start that is to come at once.
   */
  readonly keepsLines?: true;
  /** Whether services of this kind run here. */
  runs(service: ServiceSpec): boolean;
  /** Makes what the services of a run share, such as its network. Doing it twice is fine. */
  prepare?(context: RunContext): Promise<void>;
  /**
   * The addresses of this machine at which services of a run that is prepared ask for what runs outside of this runtime. None where
   * they get to the local address, as from a virtual machine. Left out where they are at home on this machine.
   */
  gateways?(run: RunIdentity, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Builds the image of a service that has a `build`; a line of output is an event. Gives back what tells this build from
   * another, so that a service is replaced when its image has changed.
   */
  build?(service: ServiceSpec, context: BuildContext): Promise<string>;
  /**
   * Starts a service, labelled as the run's; one that has ended is begun again in its place, with its ports, its labels
   * and what it wrote. When it fails, nothing of the service is left. When its host port turns out to be taken it throws
   * `PORT_CONFLICT` with the port in its details.
   */
  start(service: ServiceSpec, spec: string, context: RunContext): Promise<void>;
  /** Runs a command inside a service that is running, for its health check; gives its exit code and output. */
  exec(
    service: ServiceSpec,
    command: string | readonly string[],
    context: RunContext,
  ): Promise<{ exitCode: number; output: string }>;
  /**
   * Whether a command inside a service ends well, found out with less effort than `exec` where nothing of its output is wanted. False
   * says nothing: `exec` is asked then. Left out where there is no cheaper way.
   */
  endsWell?(service: ServiceSpec, command: string | readonly string[], context: RunContext): Promise<boolean>;
  /**
   * Ends services of a run without removing them: what they printed and wrote stays, and `start` begins them again in
   * their place. Politely first, when it is given the time. One that has ended already is fine.
   */
  stop(
    run: RunIdentity,
    services: readonly string[],
    options: { readonly graceMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /**
   * Harms a service of a run as something from outside would, so that people can see what is done about it: `kill` ends it at
   * once, `pause` has it hang until `resume`. One that has gone since is fine. Left out where that cannot be done.
   */
  disturb?(run: RunIdentity, service: string, how: Disturbance, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when it can be used, throws when it cannot. Who waits for one that is away asks this again and again: it costs little, and that it
   * is still away counts for nothing. Left out, `inspect` is asked.
   */
  answers?(signal: AbortSignal): Promise<void>;
  /** How the services of a run are, in one look. */
  inspect(run: RunIdentity, services: readonly string[], signal: AbortSignal): Promise<ServiceState[]>;
  /**
   * Of each of those who listen on ports of this machine, whether it does so for a service of a run; undefined where nobody can
   * tell. Left out where it is never known.
   */
  isOwn?(
    run: RunIdentity,
    service: string,
    listeners: readonly Holder[],
    signal: AbortSignal,
  ): Promise<readonly (boolean | undefined)[]>;
  /**
   * The most memory that a service which runs has used since it was started, in bytes; nothing when nobody can tell. Only evidence
   * asks for it. Left out where it is never known.
   */
  memoryPeak?(run: RunIdentity, service: string, signal: AbortSignal): Promise<number | undefined>;
  /** Everything that runs of a project have made here, of one run or of all. */
  resources(query: { project: string; runId?: string }, signal: AbortSignal): Promise<Resource[]>;
  /**
   * Removes resources of its own, in the order that works (containers before their networks) and in as few calls as
   * it can. Stops them politely first when it is given the time. One that fails stops no other.
   */
  remove(
    resources: readonly Resource[],
    options: { readonly graceMs: number; readonly signal: AbortSignal },
  ): Promise<Removal[]>;
  /** Output of services of a run, oldest first. */
  logs(run: RunIdentity, query: LogQuery, signal: AbortSignal): AsyncIterable<LogLine>;
  /** What happens to the services of a run from now on, until the signal aborts. */
  watch(run: RunIdentity, signal: AbortSignal): AsyncIterable<RuntimeEvent>;
}
