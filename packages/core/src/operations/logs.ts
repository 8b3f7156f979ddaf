import * as z from 'zod';
import { duration } from '../config/duration.js';
import { currentRun } from '../environment/claim-run.js';
import type { LogLine } from '../environment/runtime.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';
import { suggesting } from '../model/suggesting.js';

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
    'Call it when a service is unhealthy or has exited, to see what it printed. Name the service and ' +
    'a small tail to keep the answer short.',
  input: z.lazy(() =>
    z.strictObject({
      service: z.array(z.string()).optional().describe('Only these services or mocks'),
      tail: z.number().int().min(0).default(100).describe('So many of the newest lines of each service'),
      since: duration().optional().describe('Only lines of this long ago or later, such as 10m'),
      follow: z.boolean().default(false).describe('Go on until it is stopped'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      runId: z.string(),
      lines: z.array(line),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  async run({ service, tail, since, follow }, { kernel, signal }) {
    const run = await currentRun(kernel);
    if (!run) throw nothingRuns(kernel);
    const names = Object.keys(run.services);
    for (const name of service ?? []) if (!names.includes(name)) throw unknown(name, names);
    const wanted = service ?? names;
    const lines: LogLine[] = [];
    await Promise.all(
      kernel.runtimes.values().map(async (runtime) => {
        const services = wanted.filter((name) => run.services[name]?.runtime === runtime.name);
        if (services.length === 0) return;
        const from = since === undefined ? {} : { since: kernel.clock.now() - since };
        for await (const each of runtime.logs(run, { services, tail, follow, ...from }, signal)) {
          if (follow) kernel.events.emit('log_line', each);
          else lines.push(each);
        }
      }),
    );
    const sorted = lines.sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
    for (const each of sorted) kernel.events.emit('log_line', each);
    return { runId: run.id, lines: sorted.map((each) => ({ ...each })) };
  },
});

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
