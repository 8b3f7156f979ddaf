import type { StructuredError } from '../model/error-code.js';

/** What every operation answers, on every surface. */
export type Envelope<Data = unknown> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: StructuredError };
