/** What the thread is given that watches. */
export interface Watch {
  /** Where the program counts its beats. */
  readonly beats: SharedArrayBuffer;
  /** How long it may stand still, in milliseconds. */
  readonly limitMs: number;
  /** What is said where nothing but the end of the process helps. */
  readonly hastily: string;
}

/** Where JavaScript stood, innermost first. */
export interface Frame {
  readonly url: string;
  readonly line: number;
  readonly name: string;
}

/** That the program stood still, which was ended. */
export interface Standstill {
  readonly frames: readonly Frame[];
  readonly forMs: number;
  /** The signal that did not get through meanwhile. */
  readonly signal: string | undefined;
}
