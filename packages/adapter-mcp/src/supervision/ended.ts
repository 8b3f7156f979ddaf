import type { Blamed } from '@argusai/core';
import type { UnderWay } from './messages.js';

/** How the process that works came to its end before it was told to. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not even be started. */
  readonly notStarted?: string;
  /** It was ended because it stood still for so many milliseconds. */
  readonly standstill?: Blamed & { readonly forMs: number };
  readonly underWay: UnderWay;
  /** The tools that were about to change something. */
  readonly changing: readonly string[];
}

/** What was asked was not answered, because the process that was asked has come to its end. */
export class WorkEnded extends Error {
  readonly ended: Ended;

  constructor(ended: Ended) {
    const { standstill, code, signal, notStarted } = ended;
    const who = standstill?.plugin ?? standstill?.where ?? 'something that it has loaded';
    super(
      standstill
        ? `The process that works was held up by ${who}`
        : `The process that works ended with ${notStarted ?? code ?? signal}`,
    );
    this.ended = ended;
  }
}
