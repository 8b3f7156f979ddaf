import type * as z from 'zod';
import type { JsonObject } from './json.js';

/** Where problems can lie. */
export const categories = ['infrastructure', 'container', 'network', 'system'] as const;

/** How bad problems can be. */
export const severities = ['fatal', 'recoverable', 'warning'] as const;

/** Where a problem lies. */
export type ErrorCategory = (typeof categories)[number];

/** How bad a problem is: nothing works until it is solved, argus may solve it, or it will become one. */
export type ErrorSeverity = (typeof severities)[number];

/** A registered kind of problem. Declared once, by the plugin that raises it. */
export interface ErrorCode<Code extends string = string, Details extends JsonObject = JsonObject> {
  /** The identifier that programs act on, in upper snake case: `DISK_SPACE_LOW`. */
  readonly code: Code;
  /** Where problems of this kind lie. */
  readonly category: ErrorCategory;
  /** How bad it is unless an occurrence says otherwise. */
  readonly severity: ErrorSeverity;
  /** What it means, in one line. */
  readonly summary: string;
  /** What it usually comes from, each in one short sentence. */
  readonly causes?: readonly string[];
  /** What argus does about it apart from its recoverers, in one or two short sentences. */
  readonly handling?: string;
  /** What a person should do when argus does not, in one or two short sentences. */
  readonly remedy?: string;
  /** What a person should do by the `reason` in the details, where `remedy` is for the others. */
  readonly remedies?: Readonly<Record<string, string>>;
  /** Names of recoverers or operations that help, best first. */
  readonly suggestedActions: readonly string[];
  /** Makes the schema of `details`, from which the compiler derives their type. Few runs ever look at it. */
  readonly details?: () => z.ZodType<Details>;
}

/** One occurrence of a problem: an `ErrorCode` with what was found. Safe to print, to store and to send. */
export interface StructuredError<Code extends string = string, Details extends JsonObject = JsonObject> {
  code: Code;
  category: ErrorCategory;
  severity: ErrorSeverity;
  message: string;
  details: Details;
  /** Names of loaded recoverers and operations, never prose. */
  suggestedActions: string[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** What an occurrence adds to its code. `details` may be left out only where the code declares none. */
export type Occurrence<Details extends JsonObject> = {
  message: string;
  severity?: ErrorSeverity;
} & (JsonObject extends Details ? { details?: Details } : { details: Details });

/** Declares a kind of problem. Third parties declare theirs in the same way. */
export function defineErrorCode<
  const Code extends string,
  Schema extends z.ZodType<JsonObject> = z.ZodType<JsonObject>,
>(definition: {
  code: Code;
  category: ErrorCategory;
  severity: ErrorSeverity;
  summary: string;
  /** What it usually comes from, each in one short sentence. */
  causes?: readonly string[];
  /** What argus does about it apart from its recoverers. */
  handling?: string;
  /** What a person should do when argus does not. */
  remedy?: string;
  /** What a person should do by the `reason` in the details, where `remedy` is for the others. */
  remedies?: Readonly<Record<string, string>>;
  suggestedActions?: readonly string[];
  /** The schema of `details`, or a function that makes it: a program that starts fast makes none before it must. */
  details?: Schema | (() => Schema);
}): ErrorCode<Code, z.output<Schema>> {
  const { suggestedActions = [], remedies, details, ...rest } = definition;
  const code = {
    ...rest,
    ...(remedies === undefined ? {} : { remedies: Object.freeze({ ...remedies }) }),
    suggestedActions: Object.freeze([...suggestedActions]),
    ...(details === undefined ? {} : { details: typeof details === 'function' ? details : () => details }),
  };
  return Object.freeze(code) as unknown as ErrorCode<Code, z.output<Schema>>;
}

/** Makes one occurrence of a code. */
export function structuredError<Code extends string, Details extends JsonObject>(
  code: ErrorCode<Code, Details>,
  occurrence: Occurrence<Details>,
  timestamp: number,
): StructuredError<Code, Details> {
  return {
    code: code.code,
    category: code.category,
    severity: occurrence.severity ?? code.severity,
    message: occurrence.message,
    details: occurrence.details ?? ({} as Details),
    suggestedActions: [...code.suggestedActions],
    timestamp,
  };
}

/** Narrows an error to one code, so that the compiler knows its `details`. */
export function isErrorOf<Code extends string, Details extends JsonObject>(
  error: StructuredError | undefined,
  code: ErrorCode<Code, Details>,
): error is StructuredError<Code, Details> {
  return error?.code === code.code;
}
