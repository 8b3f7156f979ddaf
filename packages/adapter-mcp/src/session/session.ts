import type { HealthReport, ResilienceEvent } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import type { McpOptions } from '../command-line/options.js';
import type { ProjectFolders } from '../project/project-folders.js';
import type { UnderWay } from '../supervision/messages.js';
import type { Call } from './call.js';
import { Failures } from './failures.js';
import { Guards } from './guards.js';
import { RunningCode } from './running-code.js';
import { ShownPlans } from './shown-plans.js';

/** Where a server runs. */
export interface Surroundings extends Pick<McpOptions, 'readOnly' | 'patienceMs'> {
  readonly folders: ProjectFolders;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secrets that were found so far, in the environment and in configurations. */
  readonly secrets: Set<string>;
  readonly version: string;
  /** How the program is started that guards a run in the background, after Node itself. */
  readonly guardian?: readonly string[];
  /** Says something to whoever reads the server's log. */
  readonly log: (line: string) => void;
}

/** What happened, and in which call; the guardian works in none. */
export type HeardEvent = ResilienceEvent & { readonly call?: string };

/** How many results are remembered: of those that somebody has been given, and of those that nobody has asked for yet. */
const keptResults = { given: 20, unasked: 100 };
/** How many events and long answers are remembered. */
const keptEvents = 200;
const keptTexts = 10;

/** What outlives a request: calls that go on, runs that are guarded, and what was seen last. One for each process. */
export class Session {
  readonly surroundings: Surroundings;
  readonly guards: Guards;
  readonly failures = new Failures();
  readonly plans = new ShownPlans();
  readonly code = new RunningCode();
  readonly #asked = new Set<Call>();
  readonly #running = new Map<string, Call>();
  /** In the order in which they ended. */
  readonly #over = new Map<string, Call>();
  readonly #texts = new Map<string, string>();
  #events: HeardEvent[] = [];
  #followed: readonly { readonly call: Call; readonly changes: boolean }[] = [];
  /** The last report of a check. */
  lastReport: HealthReport | undefined;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.guards = new Guards(surroundings.log);
  }

  /** What happened in the run that is current, oldest first. */
  get events(): readonly HeardEvent[] {
    return this.#events;
  }

  /**
   * Remembers from now on what happens in this call. What changes something begins a run of events, in which those of calls that are
   * still at work go on: it may be refused because of one of them. What only looks does so where there is none yet.
   */
  follow(call: Call, changes: boolean): void {
    const changing = this.#followed.filter((one) => one.changes);
    if (!changes && changing.length > 0) return;
    const beside = changing.filter((one) => one.call.state !== 'done');
    this.#followed = [...beside, { call, changes }];
    this.#events = this.#events.filter((event) => beside.some((one) => one.call.runId === event.call));
  }

  /** Remembers an event of a call that is followed, or of the guardian. What services print is no event of a run. */
  hear(event: ResilienceEvent, call?: Call): void {
    this.code.hear(event);
    const isFollowed = !call || this.#followed.some((one) => one.call === call);
    if (event.type === 'log_line' || !isFollowed) return;
    const heard = call ? { ...event, call: call.runId } : event;
    this.#events = [...this.#events.slice(1 - keptEvents), heard];
  }

  /**
   * Begins the work of a call and remembers it. Mostly whoever waits for it is given its answer, and then it is forgotten; where
   * somebody was told to ask for it later, it is kept until they have.
   */
  begin(call: Call, work: (signal: AbortSignal) => Promise<Answer>): void {
    this.#running.set(call.runId, call);
    call.onPromised = () => this.code.onChange({ underWay: this.underWayOrGuarded });
    call.begin(work);
    void call.done.then(() => {
      this.#running.delete(call.runId);
      if (call.isPromised) this.#over.set(call.runId, call);
      this.#forget();
    });
  }

  /** A call that is remembered. */
  call(runId: string): Call | undefined {
    return this.#running.get(runId) ?? this.#over.get(runId);
  }

  /** The calls that are remembered, first those that are over. */
  get calls(): readonly Call[] {
    return [...this.#over.values(), ...this.#running.values()];
  }

  /** Does what a call is about, and knows of it meanwhile. */
  async during<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    this.#asked.add(call);
    try {
      return await work();
    } finally {
      this.#asked.delete(call);
    }
  }

  /** The calls that are not answered yet, and those that go on although they are. */
  get underWay(): readonly Call[] {
    return [...new Set([...this.#asked, ...this.#running.values()])];
  }

  /** Remembers a call whose answer somebody was told to ask for later, and that another process had begun. */
  over(call: Call, answer: Answer): void {
    call.promise();
    this.begin(call, async () => answer);
  }

  /** What is cut off when this process is ended: the calls, and the folders of the runs that it guards. */
  get underWayOrGuarded(): UnderWay {
    const promised = this.underWay.filter(({ isPromised }) => isPromised);
    return { calls: promised.map(({ runId, tool }) => ({ runId, tool })), guarded: this.guards.folders };
  }

  /** Notes that something crashed, for every call that is under way. */
  crashed(thrown: unknown): void {
    for (const call of this.underWay) call.crashed(thrown);
  }

  /** Forgets the results that are older than so many others. Whoever was given one may have lost it, so that too is kept for a while. */
  #forget(): void {
    const over = [...this.#over.values()];
    const given = over.filter(({ isGiven }) => isGiven);
    const unasked = over.filter(({ isGiven }) => !isGiven);
    const old = [...given.slice(0, -keptResults.given), ...unasked.slice(0, -keptResults.unasked)];
    for (const { runId } of old) this.#over.delete(runId);
  }

  /** Keeps the whole text of an answer that was cut. */
  keep(runId: string, text: string): void {
    this.#texts.set(runId, text);
    for (const old of [...this.#texts.keys()].slice(0, -keptTexts)) this.#texts.delete(old);
  }

  /** The whole text of an answer that was cut. */
  kept(runId: string): string | undefined {
    return this.#texts.get(runId);
  }

  /** Tells everything that goes on to be taken back at once: a client that goes away ends the server by force seconds later. */
  leave(): void {
    for (const call of this.#running.values()) call.leave();
  }

  /** Stops everything that goes on, and waits until it has been taken back. */
  async end(): Promise<void> {
    this.leave();
    const running = [...this.#running.values()];
    await Promise.all([...running.map(({ done }) => done), this.guards.end()]);
  }
}
