import type { ResilienceEvent } from '@argusai/core';
import type { Output } from '../../io.js';
import type { LiveLook } from './live-region.js';

/** Where something is drawn while it goes on. */
export interface LiveSurface {
  readonly output: Output;
  readonly look: LiveLook;
  /** Milliseconds of a clock that does not jump. */
  now(): number;
}

/** Draws long work on a terminal while it goes on. */
export interface LiveView {
  /** Takes in what has happened. Gives back whether that is all there is to say; otherwise it is told in a line of its own. */
  show(event: ResilienceEvent): boolean;
  /** It is over: takes away what was drawn, and leaves what the result does not tell. */
  close(isFine: boolean): void;
  /** The program ends at once: takes away what was drawn, since nobody knows any more whether it is so. */
  drop(): void;
}
