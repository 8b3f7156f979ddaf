import type { StructuredError } from '../model/error-code.js';

/** What every operation answers, on every surface. */
export type Envelope<Data = unknown> = (
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: StructuredError }
) & {
  /** What everybody should know whatever he asked, such as that the state was damaged. Missing when there is nothing. */
  readonly notices?: readonly StructuredError[];
};
