/** Says when a restart may disturb. `argus run` marks the boundaries; without them a restart never waits. */
export interface SuiteBoundaries {
  /** The suite that runs now. */
  readonly running: string | null;
  /** Resolves as soon as no suite runs; at once when none does. Rejects when the signal aborts. */
  idle(signal: AbortSignal): Promise<void>;
}
