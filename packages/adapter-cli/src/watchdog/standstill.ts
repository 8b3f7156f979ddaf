import type { Frame } from '@argusai/core';

/** What the program and the thread that watches it count together, by its place. */
export const counted = { beats: 0, ended: 1, ready: 2 } as const;

/** What the thread is given that watches. */
export interface Watch {
  readonly beats: SharedArrayBuffer;
  /** How long the program may stand still, in milliseconds. */
  readonly limitMs: number;
  /** The folder that the program lies in. */
  readonly own: string;
  /** What is said where nothing but the end of the process helps. */
  readonly hastily: string;
}

/** That the program stood still, which was ended. */
export interface Standstill {
  readonly frames: readonly Frame[];
  readonly forMs: number;
  /** The signal that did not get through meanwhile. */
  readonly signal: string | undefined;
}
