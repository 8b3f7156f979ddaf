import type * as z from 'zod';
import type { Kernel } from '../kernel/kernel.js';
import { present, presentError } from '../kernel/present.js';
import { ArgusError } from '../model/argus-error.js';
import type { Ask } from '../model/ask.js';
import type { CommandStreams } from '../model/command-streams.js';
import { usageInvalid } from '../model/core-error-codes.js';
import type { Operation } from '../model/operation.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Envelope } from './envelope.js';

/** What a surface brings along. */
export interface Surface {
  /** Where the output of commands goes that the operation runs for the user. */
  readonly streams?: CommandStreams;
  /** Asks the person who gave the order. */
  readonly ask?: Ask;
  /** No person has agreed, whatever the input says. */
  readonly unattended?: boolean;
  /** Is handed what was thrown, for whoever needs to know where. */
  onThrown?(thrown: unknown): void;
}

/** Runs an operation on any input. It never throws: whatever happens becomes an envelope without secrets. */
export async function runOperation<Output extends z.ZodType>(
  kernel: Kernel,
  operation: Operation<z.ZodType, Output>,
  input: unknown,
  signal: AbortSignal = new AbortController().signal,
  { streams, ask, unattended = false, onThrown }: Surface = {},
): Promise<Envelope<z.output<Output>>> {
  try {
    const context = {
      ...{ kernel, signal, unattended },
      ...(streams ? { streams } : {}),
      ...(ask ? { ask } : {}),
    };
    const data = await operation.run(parse(operation, input), context);
    return { ok: true, data: present(kernel, data) as z.output<Output> };
  } catch (thrown) {
    onThrown?.(thrown);
    return { ok: false, error: presentError(kernel, toStructuredError(thrown, kernel.clock.now())) };
  }
}

function parse(operation: Operation, input: unknown): unknown {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  throw new ArgusError(usageInvalid, {
    message: `${operation.name}: ${problems.join('; ')}`,
    details: { operation: operation.name, problems },
  });
}
