import type * as z from 'zod';
import type { Kernel } from '../kernel/kernel.js';
import type { Ask } from './ask.js';
import type { CommandStreams } from './command-streams.js';
import type { StructuredError } from './error-code.js';

/** What an operation may do to the world, so that every surface can say so. */
export interface OperationEffects {
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It may remove what cannot be had back. */
  readonly destructive: boolean;
  /** Doing it twice is the same as doing it once. */
  readonly idempotent: boolean;
  /** It reaches beyond this machine, or runs what is not argus's own: images are fetched, tests are run. */
  readonly openWorld?: boolean;
}

/** What an operation is given for its work. */
export interface OperationContext {
  readonly kernel: Kernel;
  readonly signal: AbortSignal;
  /** Where the output of commands goes that the operation runs for the user; without it, it is kept. */
  readonly streams?: CommandStreams;
  /** Asks the person who gave the order; missing where nobody can be asked. */
  readonly ask?: Ask;
  /** No person has agreed, whatever the input says, so the limits on acting alone apply. */
  readonly unattended?: boolean;
  /** Says something beside the result: it becomes a notice of the envelope, however the operation ends. */
  readonly notify?: (notice: StructuredError) => void;
  /** Takes what was thrown and is a part of the result, such as by a check, and by whom: for whoever needs to know where. */
  readonly onThrown?: (thrown: unknown, by: string) => void;
}

/** A named thing to do, defined once; it surfaces as a CLI command and as an MCP tool. */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** In kebab case: `preflight-check`. */
  readonly name: string;
  /** A shorter name for people who type: `check`. */
  readonly alias?: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** More about it for people, with the options as they are typed; agents get it only where there is no `guidance`. */
  readonly description?: string;
  /**
   * When an agent should use it and what to do next; `{setup}` stands for the operation of that name. Where an operation or an input is
   * not offered, the sentences that name it are left out.
   */
  readonly guidance?: string;
  readonly input: Input;
  readonly output: Output;
  readonly effects: OperationEffects;
  /** How the effects of one exact input differ: a dry run changes nothing. The input has not been looked at. */
  effectsOf?(input: Readonly<Record<string, unknown>>): Partial<OperationEffects>;
  /** When it is cancelled it first takes back what it had begun, so whoever cancels it should wait for that; not where its effects are `readOnly`. */
  readonly rollsBack?: boolean;
  /** What it may leave when nobody waits for that, and the way out, as a sentence without its full stop. */
  readonly leaves?: string;
  /**
   * `false` for what works on a folder as it is, also where the configuration is broken. `or-record` for what then does with the
   * record of what runs here, `or-plugins` for what then does with the plugins that can be loaded. Only core's own can be found
   * without one.
   */
  readonly needsConfig?: boolean | 'or-record' | 'or-plugins';
  /** Does the work; what it throws becomes the error of the envelope. */
  run(input: z.output<Input>, context: OperationContext): Promise<z.input<Output>>;
}

/** The effects of an operation whose `dryRun` only looks. */
export function harmlessDryRun({ dryRun }: Readonly<Record<string, unknown>>): Partial<OperationEffects> {
  return dryRun === true ? { readOnly: true, destructive: false } : {};
}

/** Declares an operation. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return Object.freeze({ ...operation });
}
