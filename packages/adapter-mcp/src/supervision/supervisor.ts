import type { CallToolResult, ReadResourceResult, Tool } from '@modelcontextprotocol/server';
import { tellError } from '../process/tell-error.js';
import type { Offer } from '../server/offer.js';
import type { Question, Request } from '../tools/request.js';
import { type Ended, WorkEnded } from './ended.js';
import type { Ask, LostCall } from './messages.js';
import { WorkerProcess } from './worker-process.js';

/** How many calls are remembered that were cut off, and whose answer somebody may still ask for. */
const keptLost = 20;

/**
 * Has the work done in a process of its own, which can be ended: when a plugin blocks it for ever, or ends it, that costs the calls that were
 * under way, and they are answered all the same. The next call has a new one.
 */
export class Supervisor implements Offer {
  readonly #silenceMs: number;
  #worker: WorkerProcess | undefined;
  #isOver = false;
  #lost: readonly LostCall[] = [];

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  /** Starts the process that works, where there is none: so it is ready when it is first asked. */
  begin(): WorkerProcess {
    if (this.#worker) return this.#worker;
    const worker = new WorkerProcess(this.#silenceMs);
    this.#worker = worker;
    if (this.#lost.length > 0) worker.tell({ lost: this.#lost });
    void worker.gone.then((ended) => {
      this.#worker = undefined;
      return this.#isOver ? undefined : this.#remember(ended);
    });
    return worker;
  }

  listTools(): Promise<Tool[]> {
    return this.#ask({ to: 'listTools' });
  }

  takeNews(): boolean {
    return this.#worker?.takeNews() ?? false;
  }

  listResources(): ReturnType<Offer['listResources']> {
    return this.#ask({ to: 'listResources' });
  }

  readResource(uri: string): Promise<ReadResourceResult | undefined> {
    return this.#ask({ to: 'readResource', uri });
  }

  async callTool({ signal, onStep, ...request }: Request): Promise<CallToolResult | Question> {
    const ask: Ask = { to: 'callTool', request: { ...request, tellsSteps: onStep !== undefined } };
    try {
      return (await this.begin().ask(ask, signal, onStep)) as CallToolResult | Question;
    } catch (thrown) {
      if (!(thrown instanceof WorkEnded)) throw thrown;
      const { endedResult } = await import('../work.js');
      return endedResult(request.tool, thrown.ended);
    }
  }

  /** Tells everything that goes on to be taken back at once: a client that goes away ends the server by force seconds later. */
  leave(): void {
    this.#isOver = true;
    this.#worker?.tell({ leave: true });
  }

  /** Waits until everything has been taken back, and tells with which exit code that has ended. */
  async end(): Promise<number> {
    this.leave();
    const ended = await this.#worker?.gone;
    return ended === undefined ? 0 : (ended.code ?? 1);
  }

  /** Waits for nothing any more. */
  kill(): void {
    this.#worker?.kill();
  }

  async #ask<Result>(ask: Ask): Promise<Result> {
    return (await this.begin().ask(ask)) as Result;
  }

  /** Whoever was told to ask later for the answer of a call is told by the next process what became of it. */
  async #remember(ended: Ended): Promise<void> {
    const { endedAnswer } = await import('../work.js');
    const lost = ended.underWay.calls.map(({ runId, tool }) => ({
      runId,
      tool,
      answer: endedAnswer(tool, ended),
    }));
    this.#lost = [...this.#lost, ...lost].slice(-keptLost);
    this.#worker?.tell({ lost });
    const { error } = endedAnswer('', ended);
    if (error && ended.standstill) tellError(error, 'mend the plugin, or take it out of the configuration');
  }
}
