import type { Envelope, Kernel, StructuredError } from '@argusai/core';
import type { Command } from './command-line/command.js';
import type { Input } from './command-line/parse-input.js';
import { exitCodeOfError } from './exit-code.js';

/** A command that was run, with what it was asked. */
export interface Call {
  readonly kernel: Kernel;
  readonly command: Command;
  /** The input of the operation. */
  readonly input: Input;
  /** The options that matter only to the command line. */
  readonly own: Input;
}

/** What a run of the program came to, before it is shown. */
export interface Outcome {
  readonly envelope: Envelope;
  readonly exitCode: number;
  /** Missing when it did not come to a call. */
  readonly call?: Call;
  /** What people are shown instead of the data: help, the version. */
  readonly text?: string;
  /** The same for a terminal of this width, where it is to be read. */
  readonly textAt?: (columns: number) => string;
  /** Something that went wrong besides, and that is no part of the result. */
  readonly notice?: StructuredError;
  /** What was thrown, for whoever wants to see where. */
  readonly thrown?: unknown;
  /** The same of what is told in the result itself, such as a check that broke, with who threw it. */
  readonly broken?: readonly { readonly by: string; readonly thrown: unknown }[];
}

/** The outcome of something that went wrong. */
export function failure(error: StructuredError, thrown?: unknown): Outcome {
  return { envelope: { ok: false, error }, exitCode: exitCodeOfError(error), thrown };
}

/** The outcome of a question about the program itself. */
export function answer(text: string, data: unknown, textAt?: Outcome['textAt']): Outcome {
  return { envelope: { ok: true, data }, exitCode: 0, text, ...(textAt ? { textAt } : {}) };
}
