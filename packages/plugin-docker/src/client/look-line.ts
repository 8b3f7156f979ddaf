import { type Circuit, type Clock, limitedSignal } from '@argusai/core';
import type { EngineAnswer, EngineLine } from './dial-engine.js';

/**
 * How long looks may take before the client has to find out what is the matter, and how long nobody needs to look for the line to be
 * closed: a setup looks before its containers start and when all of them run.
 */
const lookMs = 1_000;
const idleMs = 15_000;

/** What is sent with a body instead of only asked for. */
export interface LineRequest {
  readonly path: string;
  readonly body: object;
}

/** The lines of the clients that share a circuit, and with it a kernel. */
const lines = new WeakMap<Circuit, LookLine>();

/** The one line of all clients behind a circuit: each would have to start a program for its own. */
export function lookLineOf(circuit: Circuit, ...parts: ConstructorParameters<typeof LookLine>): LookLine {
  const line = lines.get(circuit) ?? new LookLine(...parts);
  lines.set(circuit, line);
  return line;
}

/**
 * A line to the engine for looking at things, opened with the first look and closed when nobody has looked for a while. To start a
 * client for every look takes longer than the answers do.
 */
export class LookLine {
  readonly #clock: Clock;
  readonly #dial: (signal: AbortSignal) => Promise<EngineLine>;
  #line: Promise<EngineLine> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closeLater: () => void = () => undefined;
  #isUseless = false;

  constructor(clock: Clock, dial: (signal: AbortSignal) => Promise<EngineLine>) {
    this.#clock = clock;
    this.#dial = dial;
  }

  /**
   * Asks for things by their paths, one after the other. What does not exist is undefined. Nothing at all when one of the answers is
   * not that of an engine that is well: the client finds out what is the matter.
   */
  async ask<T>(
    paths: readonly (string | LineRequest)[],
    signal: AbortSignal,
  ): Promise<(T | undefined)[] | undefined> {
    if (this.#isUseless) return undefined;
    const limit = limitedSignal(this.#clock, lookMs, signal);
    const answers = this.#last.then(() => this.#askNow<T>(paths, limit.signal));
    this.#last = answers;
    try {
      return await answers;
    } finally {
      limit.release();
    }
  }

  async #askNow<T>(
    paths: readonly (string | LineRequest)[],
    signal: AbortSignal,
  ): Promise<(T | undefined)[] | undefined> {
    this.#closeLater();
    const isNew = this.#line === undefined;
    try {
      this.#line ??= this.#dial(new AbortController().signal);
      const line = await this.#line;
      const found: (T | undefined)[] = [];
      for (const asked of paths) {
        const answer =
          typeof asked === 'string'
            ? await line.get(asked, signal)
            : await line.post(asked.path, signal, asked.body);
        found.push(read<T>(answer));
      }
      this.#closeLater = this.#clock.after(idleMs, () => this.#close(), { background: true });
      return found;
    } catch {
      // Whatever it was, the client will meet it too, and can tell. One that cannot open a line will not learn it.
      this.#isUseless = isNew && !signal.aborted;
      this.#close();
      return undefined;
    }
  }

  #close(): void {
    this.#line?.then((line) => line.close()).catch(() => undefined);
    this.#line = undefined;
  }
}

/** What was asked for, or nothing when there is none. Throws when it is neither. */
function read<T>({ status, body }: EngineAnswer): T | undefined {
  // What was only told to be done is answered by nothing.
  const answer = body === '' ? {} : JSON.parse(body);
  if (status === 200 || status === 201) return answer;
  // Anything that speaks HTTP can say 404.
  if (status === 404 && /no such|not found/i.test(String(answer.message))) return undefined;
  throw new Error(`The engine answered ${status}`);
}
