import * as z from 'zod';
import { duration, formatDuration } from '../config/duration.js';
import { size } from '../config/size.js';
import type { Harm } from '../faults/fault.js';
import { faults } from '../faults/faults.js';
import { refused } from '../faults/own-service.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';
import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';

/** How long a fault lasts when neither anybody nor the fault itself says so, in milliseconds. */
const defaultMs = 30_000;

/** How long to wait between two looks whether what was harmed is still there, in milliseconds. */
const lookMs = 1_000;

/** Breaks something of this project's own environment, to see what comes of it. */
export const faultInject = defineOperation({
  name: 'fault-inject',
  summary: 'Break something of this project’s own environment on purpose',
  description:
    'Lets a fault of argus fault list happen, to see whether it is noticed and mended. Only what provably belongs to the run of this folder is ' +
    'touched. A fault that lasts is taken back when the time is up, the command is stopped, or a guardian has replaced what was broken. What a killed service had in memory is lost.',
  guidance:
    'Only to test that failures are noticed and mended. Next: {status} and {incidents} show what ' +
    'came of it.',
  input: z.lazy(() =>
    z.strictObject({
      fault: z.string().describe('The name of the fault'),
      service: z.string().optional().describe('Which service or mock (default the only one)'),
      for: duration()
        .optional()
        .describe(
          'How long a fault lasts that is taken back (default 30s; for a pause, so much longer than the health check takes to fail)',
        ),
      size: size().default('1GB').describe('How much fill-disk may write'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      fault: z.string(),
      target: z.string(),
      message: z.string(),
      expect: z.string().describe('The code that argus should report it with'),
      undone: z.boolean().describe('It lasted, and was taken back'),
      replaced: z
        .literal(true)
        .optional()
        .describe('What was harmed was replaced meanwhile, so that there was nothing to take back'),
      lastedMs: z.number(),
    }),
  ),
  effects: { readOnly: false, destructive: true, idempotent: false },
  rollsBack: true,
  leaves: 'What it broke may still be broken; a service that it has paused goes on with the next argus setup',
  async run({ fault: name, for: forMs, ...request }, { kernel, signal }) {
    const fault = faults.find((one) => one.name === name);
    if (!fault) throw unknown(name);
    const { service, size: limit } = request;
    const wish = {
      size: limit,
      signal,
      ...(service === undefined ? {} : { service }),
      ...(forMs === undefined ? {} : { forMs }),
    };
    const harm = await fault.inject(kernel, wish);
    const { target, message, undo, lastsMs = defaultMs } = harm;
    const begun = kernel.clock.monotonic();
    kernel.events.emit('fault_injected', { fault: name, target, message });
    let isReplaced = false;
    if (undo) {
      await untilOver(kernel.clock, harm, forMs ?? lastsMs, signal);
      isReplaced = (await undo()) === 'replaced';
      const how = isReplaced ? { replaced: true as const } : {};
      kernel.events.emit('fault_undone', { fault: name, target, ...how });
    }
    const lastedMs = Math.round(kernel.clock.monotonic() - begun);
    const common = { fault: name, target, expect: fault.expect, lastedMs };
    if (isReplaced)
      return {
        ...common,
        message: `${message}; it was replaced after ${formatDuration(lastedMs)}`,
        undone: false,
        replaced: true as const,
      };
    return { ...common, message, undone: undo !== undefined };
  },
});

/** Waits until the time is up, or there is nothing to wait for any more. */
async function untilOver(clock: Clock, harm: Harm, lastsMs: number, signal: AbortSignal): Promise<void> {
  const end = clock.monotonic() + lastsMs;
  for (let leftMs = lastsMs; leftMs > 0; leftMs = end - clock.monotonic()) {
    try {
      await pause(clock, harm.isReplaced ? Math.min(leftMs, lookMs) : leftMs, signal);
    } catch {
      // Whoever stops it early wants it to be over, which it is then.
      return;
    }
    if (await harm.isReplaced?.(signal)) return;
  }
}

function unknown(name: string) {
  const known = faults.map((one) => one.name);
  const suggestion = nearest(name, known);
  const rest = suggestion ? `did you mean ${suggestion}?` : `there are ${known.join(', ')}`;
  return refused(`There is no fault ${name}; ${rest}`, { known });
}
