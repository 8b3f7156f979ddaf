import { basename } from 'node:path';
import type * as z from 'zod';
import { validate } from '../config/validate.js';
import type { Kernel } from '../kernel/kernel.js';
import { present, presentError } from '../kernel/present.js';
import { ArgusError } from '../model/argus-error.js';
import type { Ask } from '../model/ask.js';
import type { CommandStreams } from '../model/command-streams.js';
import { configPassedOver, usageInvalid } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import type { Operation } from '../model/operation.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { storeNotices } from '../state/store-notices.js';
import type { Envelope } from './envelope.js';
import { parseOutput } from './parse-output.js';

/** What a surface brings along. */
export interface Surface {
  /** Where the output of commands goes that the operation runs for the user. */
  readonly streams?: CommandStreams;
  /** Asks the person who gave the order. */
  readonly ask?: Ask;
  /** How the operation and the properties of its input are written here; left out, by their own names. */
  readonly wording?: {
    readonly operation: string;
    /** How a property of the input is written. */
    field(key: string): string;
  };
  /** No person has agreed, whatever the input says. */
  readonly unattended?: boolean;
  /** Is handed what was thrown, for whoever needs to know where; with who threw it where that is a part of the result. */
  readonly onThrown?: (thrown: unknown, by?: string) => void;
}

/** Runs an operation on any input. It never throws: whatever happens becomes an envelope without secrets. */
export async function runOperation<Output extends z.ZodType>(
  kernel: Kernel,
  operation: Operation<z.ZodType, Output>,
  input: unknown,
  signal: AbortSignal = new AbortController().signal,
  { streams, ask, unattended = false, wording, onThrown }: Surface = {},
): Promise<Envelope<z.output<Output>>> {
  const since = kernel.clock.now();
  const beside: StructuredError[] = [];
  const notify = (notice: StructuredError) => void beside.push(notice);
  try {
    const context = {
      kernel,
      signal,
      unattended,
      notify,
      ...(streams ? { streams } : {}),
      ...(ask ? { ask } : {}),
      ...(onThrown ? { onThrown } : {}),
    };
    const given = await operation.run(parse(operation, input, wording), context);
    const data = await parseOutput(kernel, operation, given);
    const notices = await noticesOf(kernel, beside, since);
    // JSON has no other word for nothing.
    return { ok: true, data: present(kernel, data ?? null) as z.output<Output>, ...notices };
  } catch (thrown) {
    onThrown?.(thrown);
    const error = presentError(kernel, toStructuredError(thrown, kernel.clock.now()));
    return { ok: false, error, ...(await noticesOf(kernel, beside, since, error.code)) };
  }
}

/**
 * What there is to say beside the result: that the configuration cannot be used, what the operation found, and what the store says of
 * itself. Whoever is told something else must not take it for all that there is.
 */
async function noticesOf(
  kernel: Kernel,
  beside: readonly StructuredError[],
  since: number,
  told?: string,
): Promise<Pick<Envelope, 'notices'>> {
  const { configProblem } = kernel;
  // What the operation came upon because of the store is told once.
  const ofStore = (await storeNotices(kernel, since)).filter(
    (notice) => !beside.some(({ code }) => code === notice.code),
  );
  const all = [...(configProblem ? [configProblem] : []), ...passedOver(kernel), ...beside, ...ofStore];
  const notices = all.filter(({ code }) => code !== told);
  return notices.length === 0 ? {} : { notices: notices.map((notice) => presentError(kernel, notice)) };
}

/** Who edits a configuration that is not read should hear of it. */
function passedOver({ origin, clock }: Kernel): StructuredError[] {
  const { file, passedOver: others = [] } = origin;
  if (file === null || others.length === 0) return [];
  const names = others.map((other) => basename(other));
  const message = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not read, because ${basename(file)} comes first`;
  return [
    structuredError(configPassedOver, { message, details: { file, passedOver: [...others] } }, clock.now()),
  ];
}

function parse(operation: Operation, input: unknown, wording: Surface['wording']): unknown {
  const { value, problems: found } = validate(operation.input, input);
  if (found.length === 0) return value;
  const problems = found.map(({ path: [key, ...inner], message }) => {
    if (key === undefined) return `input: ${message}`;
    const field = wording?.field(String(key)) ?? String(key);
    return `${[field, ...inner].join('.')}: ${message}`;
  });
  throw new ArgusError(usageInvalid, {
    message: `${wording?.operation ?? operation.name}: ${problems.join('; ')}`,
    details: { operation: operation.name, problems },
  });
}
