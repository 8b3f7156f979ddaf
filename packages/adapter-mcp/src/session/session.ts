import type { HealthReport, ResilienceEvent } from '@argusai/core';
import type { McpOptions } from '../command-line/options.js';
import type { ProjectFolders } from '../project/project-folders.js';
import type { Call } from './call.js';
import { Failures } from './failures.js';
import { Guards } from './guards.js';
import { ShownPlans } from './shown-plans.js';

/** Where a server runs. */
export interface Surroundings extends Pick<McpOptions, 'readOnly' | 'patienceMs'> {
  readonly folders: ProjectFolders;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** How the program is started that guards a run in the background, after Node itself. */
  readonly guardian?: readonly string[];
  /** Says something to whoever reads the server's log. */
  readonly log: (line: string) => void;
}

/** How many finished calls and how many events and long answers are remembered. */
const keptCalls = 20;
const keptEvents = 200;
const keptTexts = 10;

/** What outlives a request: calls that go on, runs that are guarded, and what was seen last. One for each process. */
export class Session {
  readonly surroundings: Surroundings;
  readonly guards: Guards;
  readonly failures = new Failures();
  readonly plans = new ShownPlans();
  readonly #calls = new Map<string, Call>();
  readonly #texts = new Map<string, string>();
  #events: ResilienceEvent[] = [];
  /** The last report of a check. */
  lastReport: HealthReport | undefined;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.guards = new Guards(surroundings.log);
  }

  /** What happened last, oldest first. */
  get events(): readonly ResilienceEvent[] {
    return this.#events;
  }

  /** Remembers an event. */
  hear(event: ResilienceEvent): void {
    this.#events = [...this.#events.slice(1 - keptEvents), event];
  }

  /** Remembers a call, and forgets the oldest that is over. */
  add(call: Call): void {
    this.#calls.set(call.runId, call);
    const over = [...this.#calls.values()].filter(({ answer }) => answer !== undefined);
    for (const { runId } of over.slice(0, Math.max(0, over.length - keptCalls))) this.#calls.delete(runId);
  }

  /** A call that is remembered. */
  call(runId: string): Call | undefined {
    return this.#calls.get(runId);
  }

  /** The calls that are remembered, oldest first. */
  get calls(): readonly Call[] {
    return [...this.#calls.values()];
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

  /** Stops everything that goes on, and waits until it has been taken back. */
  async end(): Promise<void> {
    const running = this.calls.filter(({ answer }) => answer === undefined);
    for (const call of running) call.cancel();
    await Promise.all([...running.map(({ done }) => done), this.guards.end()]);
  }
}
