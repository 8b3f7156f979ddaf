import { type ErrorCode, type Occurrence, type StructuredError, structuredError } from './error-code.js';
import type { JsonObject } from './json.js';

// A project and the CLI may each load their own copy of core, so the mark is looked up, not the class.
const mark = Symbol.for('argusai.error');

/** Carries a `StructuredError` through throw and catch. */
export class ArgusError<Code extends string = string, Details extends JsonObject = JsonObject> extends Error {
  /** The occurrence, ready to be reported. */
  readonly error: StructuredError<Code, Details>;

  constructor(code: ErrorCode<Code, Details>, occurrence: Occurrence<Details> & { cause?: unknown }) {
    super(occurrence.message, 'cause' in occurrence ? { cause: occurrence.cause } : undefined);
    this.name = 'ArgusError';
    this.error = structuredError(code, occurrence, Date.now());
    Object.defineProperty(this, mark, { value: true });
  }

  /** The code, for `catch` blocks that tell cases apart. */
  get code(): Code {
    return this.error.code;
  }
}

/** Tells whether something thrown carries a `StructuredError`, also when another copy of core threw it. */
export function isArgusError(thrown: unknown): thrown is ArgusError {
  return typeof thrown === 'object' && thrown !== null && mark in thrown;
}

/** Makes an error that was told already fit to be thrown again; with what it comes from, if that is known. */
export function thrownAs(
  { message, details, ...rest }: StructuredError,
  from: { readonly cause?: unknown } = {},
): ArgusError {
  return new ArgusError({ ...rest, summary: message }, { message, details, ...from });
}
