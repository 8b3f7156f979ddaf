import { randomUUID } from 'node:crypto';
import { EndsSoon } from '@argusai/core';
import type { Answer } from '../answer/answer.js';

/** How many crashes are told with one answer; what crashes again and again is in the log. */
const toldCrashes = 5;

/** One run of an operation that a tool call asked for. It goes on when the client no longer waits. */
export class Call {
  readonly runId: string;
  readonly tool: string;
  readonly since = Date.now();
  readonly #stop = new AbortController();
  /** The folder of the project that it changes, once that is known. */
  dir: string | undefined;
  #isPromised = false;
  /** Is told when somebody is told to ask for its result later. */
  onPromised: () => void = () => undefined;
  /** Somebody has asked for its result and was given it. */
  isGiven = false;
  #steps: string[] = [];
  #crashes: unknown[] = [];
  #answer: Answer | undefined;
  #done: Promise<Answer> | undefined;

  constructor(tool: string, runId = `call-${randomUUID().slice(0, 8)}`) {
    this.tool = tool;
    this.runId = runId;
  }

  /** Begins the work. It must not throw: whatever happens is an answer. */
  begin(work: (signal: AbortSignal) => Promise<Answer>): void {
    this.#done = work(this.#stop.signal).then((answer) => {
      this.#answer = answer;
      return answer;
    });
  }

  /** Settles with the answer, when everything has been taken back that had to be. */
  get done(): Promise<Answer> {
    if (!this.#done) throw new Error('The call has not begun');
    return this.#done;
  }

  /** The answer, once there is one. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** How far it is. */
  get state(): 'running' | 'stopping' | 'done' {
    if (this.#answer !== undefined) return 'done';
    return this.#stop.signal.aborted ? 'stopping' : 'running';
  }

  /** What was begun last. */
  get step(): string | undefined {
    return this.#steps.at(-1);
  }

  /** Notes that something was begun. */
  note(step: string): void {
    this.#steps = [...this.#steps.slice(-19), step];
  }

  /** Notes that something crashed meanwhile. What it belongs to cannot be told. */
  crashed(thrown: unknown): void {
    if (this.#crashes.length < toldCrashes) this.#crashes.push(thrown);
  }

  /** What crashed meanwhile and has not been told yet. */
  takeCrashes(): readonly unknown[] {
    const crashes = this.#crashes;
    this.#crashes = [];
    return crashes;
  }

  /** Whether somebody was told to ask for its result later. */
  get isPromised(): boolean {
    return this.#isPromised;
  }

  /** Notes that somebody is told to ask for its result later. */
  promise(): void {
    this.#isPromised = true;
    this.onPromised();
  }

  /** Tells the work to stop and to take back what it has begun. */
  cancel(): void {
    this.#stop.abort();
  }

  /** The same where there is little time for it. */
  leave(): void {
    this.#stop.abort(new EndsSoon());
  }
}
