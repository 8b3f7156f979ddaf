import type { ResilienceEvent } from '@argusai/core';
import type { Io } from '../io.js';
import type { Outcome } from '../outcome.js';

/** What a format may know of the world besides the outcome. */
export type FormatScene = Pick<Io, 'version' | 'cwd' | 'env'>;

/** A result, ready to be written. */
export interface WrittenResult {
  /** What goes to stdout. */
  readonly text: string;
  /** The exit code, where the readers of the format expect other ones than those of argus. */
  readonly exitCode?: number;
  /** What is added to a file besides, where the readers have named one. */
  readonly addition?: { readonly file: string; readonly text: string };
}

/** A way of writing results for other programs. Whatever happens, what is on stdout is one document of that format. */
export interface ProgramFormat {
  /** What an event adds to stdout when it happens; without it events are not told. */
  event?(event: ResilienceEvent): string;
  result(outcome: Outcome, scene: FormatScene): WrittenResult;
}
