import * as z from 'zod';
import { duration } from '../config/duration.js';
import { type FoundRun, findRun } from '../environment/runs/find-run.js';
import { lostHere, type Unlooked } from '../environment/runs/lost-here.js';
import { standIn } from '../environment/runs/stand-in.js';
import type { LogLine } from '../environment/runtime.js';
import { whenOver } from '../environment/status/when-over.js';
import type { Kernel } from '../kernel/kernel.js';
import { present } from '../kernel/present.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';
import { suggesting } from '../model/suggesting.js';
import { createKeyStream } from '../redact/key-stream.js';
import { requireSight } from '../state/blindness.js';
import { pause } from '../time/pause.js';
import { runInput } from './run-input.js';
import { tellBeside } from './tell-beside.js';

const line = z.lazy(() =>
  z.object({
    service: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
    at: z.number().optional().describe('Milliseconds since the epoch'),
  }),
);

/** Shows what services have printed, and what they go on to print. */
export const logs = defineOperation({
  name: 'logs',
  summary: 'Show what the services of this project print',
  description: 'Lines come in the order of time, all services together unless some are named.',
  guidance:
    'Call it when a service is unhealthy or has exited. Name the service and a small tail to keep the ' +
    'answer short.',
  input: z.lazy(() =>
    z.strictObject({
      run: runInput('The run whose output to show'),
      service: z.array(z.string()).optional().describe('Only these services or mocks'),
      tail: z.number().int().min(0).default(100).describe('So many of the newest lines of each service'),
      since: duration().optional().describe('Only lines of this long ago or later, such as 10m'),
      follow: z.boolean().default(false).describe('Go on until it is stopped, or the run is taken down'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      runId: z.string(),
      recordLost: z
        .boolean()
        .optional()
        .describe('The record of the run was lost; it was found by its labels'),
      over: z
        .boolean()
        .optional()
        .describe('The run was taken down while it was followed, so that nothing more comes'),
      lines: z.array(line),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  needsConfig: 'or-record',
  async run({ run: id, service, tail, since, follow }, { kernel, signal, notify }) {
    await tellBeside(kernel, notify, id);
    const { run, lost } = (await findRun(kernel, id, 'look', signal)) ?? (await newestLost(kernel, signal));
    const names = Object.keys(run.services);
    for (const name of service ?? []) if (!names.includes(name)) throw unknown(name, names);
    const wanted = service ?? names;
    const lines: LogLine[] = [];
    // The newest lines may begin within a key.
    const mask = createKeyStream({ from: 'unknown' });
    const withoutKeys = (each: LogLine) => ({
      ...each,
      text: mask(`${each.service} ${each.stream}`, each.text),
    });
    const reading = (until: AbortSignal) =>
      kernel.runtimes.values().map(async (runtime) => {
        const services = wanted.filter((name) => run.services[name]?.runtime === runtime.name);
        if (services.length === 0) return;
        const from = since === undefined ? {} : { since: kernel.clock.now() - since };
        for await (const each of runtime.logs(run, { services, tail, follow, ...from }, until)) {
          if (follow) kernel.events.emit('log_line', withoutKeys(each));
          else lines.push(each);
        }
      });
    // A run without a record cannot be seen to end.
    const isOver =
      follow && !lost
        ? await whileItLasts(kernel, run.id, signal, (until) => Promise.all(reading(until)))
        : void (await Promise.all(reading(signal)));
    // All together before one by one: that a line is of a key may show only by a later one.
    const sorted = present(
      kernel,
      lines.sort((one, other) => (one.at ?? 0) - (other.at ?? 0)),
    );
    for (const each of sorted) kernel.events.emit('log_line', each);
    return {
      runId: run.id,
      lines: sorted.map((each) => ({ ...each })),
      ...(lost ? { recordLost: true } : {}),
      ...(isOver ? { over: true } : {}),
    };
  },
});

/** How long the last words of services may take to come. */
const lastWordsMs = 500;

/** Does something that goes on for ever, until the run is over. Gives whether it is. */
async function whileItLasts(
  kernel: Kernel,
  runId: string,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  const over = new AbortController();
  const done = new AbortController();
  const watching = whenOver(kernel, runId, AbortSignal.any([signal, done.signal]))
    .then(() => pause(kernel.clock, lastWordsMs, signal))
    .then(
      () => over.abort(),
      // Whoever stopped it needs no second word.
      () => undefined,
    );
  try {
    await work(AbortSignal.any([signal, over.signal]));
  } catch (thrown) {
    if (!over.signal.aborted) throw thrown;
  } finally {
    done.abort();
    await watching;
  }
  return over.signal.aborted;
}

/** The newest run of this folder of which there is something and no record. */
async function newestLost(kernel: Kernel, signal: AbortSignal): Promise<FoundRun> {
  const { resources, unlooked } = await lostHere(kernel, signal);
  const newest = [...resources].sort((one, other) => other.createdAt - one.createdAt)[0]?.runId;
  const own = resources.filter(({ runId }) => runId === newest);
  if (newest !== undefined) return { run: standIn(newest, own), lost: own };
  const [blind] = unlooked;
  if (!blind) requireSight(kernel.store);
  throw blind ? notTold(kernel, blind) : nothingRuns(kernel);
}

function notTold({ project }: Kernel, { runtime, error: { message: reason } }: Unlooked): ArgusError {
  return new ArgusError(suggesting(usageInvalid, ['status']), {
    message: `No run of ${project.name} is recorded in this folder, and ${runtime} could not be asked what it has: ${reason}`,
    details: { runtime, reason },
  });
}

function nothingRuns({ project }: Kernel): ArgusError {
  return new ArgusError(suggesting(usageInvalid, ['setup']), {
    message: `Nothing of ${project.name} runs in this folder; argus setup brings it up`,
  });
}

function unknown(name: string, known: readonly string[]): ArgusError {
  const suggestion = nearest(name, known);
  const hint = suggestion === undefined ? `there are ${known.join(', ')}` : `did you mean ${suggestion}?`;
  return new ArgusError(usageInvalid, {
    message: `No service called ${name} runs here; ${hint}`,
    details: { service: name, known: [...known] },
  });
}
