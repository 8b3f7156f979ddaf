import type { circuitOpen, StructuredError } from '@argusai/core';

/** After how many failures of the same call with nothing changed a person is needed. */
const limit = 3;

/** The code of calls that are held back. Not taken from core: the server is there before core is loaded. */
const heldBack: (typeof circuitOpen)['code'] = 'CIRCUIT_OPEN';

/** What is looked at to tell one failure from another. */
type Failure = Pick<StructuredError, 'code' | 'message'>;

interface Streak {
  /** How it failed. */
  readonly failure: string;
  /** What the environment looked like when the last one of them was over. */
  readonly world: string;
  readonly changes: number;
  readonly count: number;
}

/** What the environment looked like before a call and after it. */
export interface Worlds {
  readonly before: string;
  readonly after: string;
}

/**
 * Notices an agent that makes the same failing call over and over, although nothing has changed. What counts is what changes from the
 * end of one call to the beginning of the next: what a failing call leaves behind itself is no reason to make it again.
 */
export class Failures {
  readonly #streaks = new Map<string, Streak>();
  #changes = 0;

  /** Whether a call failed the last time. */
  hasFailed(call: string): boolean {
    return this.#streaks.has(call);
  }

  /** Notes a call that went well, and whether it has changed something. */
  succeeded(call: string, hasChanged: boolean): void {
    this.#streaks.delete(call);
    if (hasChanged) this.#changes += 1;
  }

  /** Notes a call that failed, and tells whether it is time for a person. */
  failed(call: string, error: Failure, { before, after }: Worlds): boolean {
    const { failure, count } = this.#once(call, error, before);
    this.#streaks.set(call, { failure, world: after, changes: this.#changes, count });
    return count >= limit;
  }

  /** Whether it would be time for a person if a call failed like this once more. */
  isHopeless(call: string, error: Failure, before: string): boolean {
    return this.#once(call, error, before).count >= limit;
  }

  /** How a call fails, and for which time in a row. */
  #once(call: string, error: Failure, before: string): Pick<Streak, 'failure' | 'count'> {
    const streak = this.#streaks.get(call);
    const isUnchanged = streak?.world === before && streak.changes === this.#changes;
    // A circuit that is open by now is what came of these failures and no other one.
    const failure = isUnchanged && error.code === heldBack ? streak.failure : failureOf(error);
    return { failure, count: isUnchanged && streak.failure === failure ? streak.count + 1 : 1 };
  }
}

/** How a call failed, without what is another one each time: identifiers, ports, times. */
function failureOf({ code, message }: Failure): string {
  const lasting = message
    // First what names a run, in twelve letters and digits.
    .replace(/\b(?=[a-z]*\d)[\da-z]{12}\b/g, '#')
    .replace(/\b(?=[a-f]*\d)[\da-f]{7,}\b/g, '#')
    .replace(/\b\d[\d.,:T-]*(?:Z|ms|s|min|m|h|[KMGT]?i?B)?\b/g, '#');
  return `${code} ${lasting}`;
}
