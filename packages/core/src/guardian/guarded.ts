import type { Stranger } from '../environment/health/strangers.js';
import type { KnownPorts } from '../environment/ports/known-ports.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import type { RunContext, Runtime, RuntimeEvent, ServiceState } from '../environment/runtime.js';
import type { ServiceSpec } from '../environment/services/service-spec.js';
import type { Kernel } from '../kernel/kernel.js';
import type { StructuredError } from '../model/error-code.js';
import { pick } from '../model/pick.js';
import type { GuardBook } from './incidents/guard-book.js';
import type { SuiteBoundaries } from './restart/suite-boundaries.js';
import type { RunningSpec } from './run-services.js';
import { Standing } from './standing.js';
import { News } from './watch/news.js';
import type { Reach } from './watch/reach.js';

/** What is asked of a service because another one that it needs was restarted. */
export interface Request {
  readonly action: 'verify' | 'restart';
  /** The services that were restarted, the first of them because it failed with this error. */
  readonly path: readonly string[];
  readonly error: StructuredError;
}

/** What is known of a service that runs and stays true when it has ended. */
const lasting = [
  ...(['service', 'id', 'spec', 'startedAt', 'restarts'] as const),
  ...(['healthOutputs', 'oomAt', 'flaw', 'memory'] as const),
];

/** One service under guard, and what has come in about it. */
export class Guarded {
  readonly news = new News();
  readonly standing = new Standing();
  /** When it was last seen to start, by the clock that never goes back; nothing once it has been healthy since. */
  beganAt: number | undefined;
  /** When the runtime last said that memory ran out, since it was last started and by its own clock. */
  oomAt: number | undefined;
  /** What the runtime says of its memory, if it says that it ran out, is about what was before it was last started. */
  isOomOld = false;
  /** When the runtime told that it has ended, since it was last started and by its own clock. */
  endToldAt: number | undefined;
  request: Request | undefined;
  /** It was told to have ended, or seen to fail by somebody who does not guard it, which its guard has yet to look at. */
  isSuspect = false;
  /** Nobody restarts it any more until it is well by itself. */
  isLeft = false;
  #end: RuntimeEvent | undefined;
  #seen: ServiceState | undefined;
  /** Memory has run out at some time, and the runtime was not seen to have taken it back. */
  #hasRunOut = false;
  readonly #spec: RunningSpec;
  readonly runtime: Runtime;
  /** Shared by all services of the runtime. */
  readonly reach: Reach;

  constructor(spec: RunningSpec, runtime: Runtime, reach: Reach) {
    this.#spec = spec;
    this.runtime = runtime;
    this.reach = reach;
  }

  get service() {
    return this.#spec.service;
  }

  get name(): string {
    return this.#spec.service.name;
  }

  get note() {
    return this.#spec.note;
  }

  get isCurrent(): boolean {
    return this.#spec.isCurrent;
  }

  /** Whether nothing is being done about it, nor is to be done as soon as that disturbs nobody. */
  get isSettled(): boolean {
    if (this.isLeft) return true;
    return this.standing.isUp && !this.isSuspect && this.request?.action !== 'restart';
  }

  /** Has its guard look at it. */
  suspect(): void {
    this.isSuspect = true;
    this.news.tell();
  }

  /** Takes note of what the runtime tells. */
  hear(event: RuntimeEvent, now: number): void {
    if (event.type === 'oom') {
      this.oomAt = event.at;
      this.#hasRunOut = true;
    }
    // Whatever it has survived before, this is the reason if it ends now.
    if (event.type === 'killed') this.oomAt = undefined;
    if (event.type === 'started') this.beganAt = now;
    if (event.type === 'exited') {
      this.endToldAt = event.at;
      // Those that need it must not come back before it.
      if (this.standing.isUp && !this.isLeft) this.isSuspect = true;
    }
    this.#end = event.type === 'exited' ? event : undefined;
    this.news.tell();
  }

  /** Takes note of how it was seen to be. */
  see(state: ServiceState): void {
    this.#seen = state.status === 'running' ? state : undefined;
    if (state.oomKilled === true) this.#hasRunOut = true;
    if (state.status !== 'running') return;
    this.#hasRunOut = state.oomKilled === true;
    this.isOomOld = this.#hasRunOut;
  }

  /** Takes note that it was restarted: what is told from now on may still be about its end before. */
  restarted(now: number): void {
    this.#seen = undefined;
    this.isSuspect = false;
    // It may end before anybody sees whether the runtime has taken it back.
    if (this.#hasRunOut) this.isOomOld = true;
    this.beganAt = now;
    this.oomAt = undefined;
    this.endToldAt = undefined;
  }

  /**
   * How it is by what was just told, where that is beyond doubt, so that nobody need look. It is not when memory may be the
   * reason, which it may only be told of later, or when the end may be the one before a restart: only one that came, by the runtime's own clock, after the
   * start of what was last seen to run is surely the end of that.
   */
  toldState(): ServiceState | undefined {
    const [end, seen] = [this.#end, this.#seen];
    this.#end = undefined;
    if (!end || !seen || this.oomAt !== undefined || end.exitCode === undefined || end.exitCode === 137)
      return undefined;
    if (seen.startedAt === undefined || end.at <= seen.startedAt || seen.memory?.limit !== undefined)
      return undefined;
    // What its runtime calls how it is was about one that runs.
    const { status: _, ...details } = seen.details ?? {};
    const { exitCode, at: endedAt } = end;
    return { ...pick(seen, lasting), status: 'exited', exitCode, oomKilled: false, endedAt, details };
  }

  /** Takes note of what another service asks; a restart covers a verification. */
  ask(request: Request): void {
    if (this.request?.action !== 'restart') this.request = request;
    this.news.tell();
  }
}

/** What everybody who guards the services of a run shares, for as long as the run is up and the post is held. */
export interface Watch {
  readonly kernel: Kernel;
  readonly run: RunRecord;
  readonly guarded: readonly Guarded[];
  readonly ports: KnownPorts;
  /** How a service is. Looks at services of one runtime are made in one. */
  look(service: ServiceSpec): Promise<ServiceState>;
  /** Who answers at the ports of services of one runtime and is none of them. Looks are made for all in one, and not at every asking. */
  strangers(service: ServiceSpec): Promise<readonly Stranger[]>;
  readonly book: GuardBook;
  readonly suites: SuiteBoundaries | undefined;
  /** Whether this guardian may act at this very moment. */
  mayAct(): Promise<boolean>;
  /** Whether the run is gone, or is being taken down. */
  isOver(): Promise<boolean>;
}

/** What a runtime is given to work for the run. */
export function contextOf({ kernel, run, guarded }: Watch, signal: AbortSignal): RunContext {
  const { project, events, clock } = kernel;
  return { run, project, services: guarded.map(({ service }) => service), events, clock, signal };
}
