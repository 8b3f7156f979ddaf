import * as z from 'zod';
import { currentRun } from '../environment/claim-run.js';
import { guardRun } from '../guardian/guard-run.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { defineOperation } from '../model/operation.js';
import { suggesting } from '../model/suggesting.js';
import { incidentSchema } from './incident-schema.js';

/** Guards the environment until it is told to end. */
export const guard = defineOperation({
  name: 'guard',
  summary: 'Restart services of this project that fail, until it is stopped',
  description:
    'Guards the environment that is up in this folder: a service that crashes, runs out of memory or fails its health check is ' +
    'restarted, with evidence kept of each failure. It ends when the environment is taken down. setup with guard does the same ' +
    'in the background.',
  guidance:
    'Rarely needed: whoever calls {setup} has the environment guarded anyway. Call it to guard one ' +
    'that somebody else has set up.',
  input: z.lazy(() =>
    z.strictObject({
      run: z.string().optional().describe('The run to guard (default the one of this folder)'),
      background: z
        .boolean()
        .default(false)
        .describe('This process does nothing else, so a clean or a setup may end it'),
    }),
  ),
  output: z.lazy(() => z.object({ runId: z.string(), incidents: z.array(incidentSchema) })),
  effects: { readOnly: false, destructive: false, idempotent: true },
  rollsBack: true,
  async run({ run, background }, { kernel, signal }) {
    const runId = run ?? (await currentRun(kernel))?.id;
    if (runId === undefined) {
      const message = `Nothing of ${kernel.project.name} runs in this folder; argus setup brings it up`;
      throw new ArgusError(suggesting(usageInvalid, ['setup']), { message });
    }
    const { incidents } = await guardRun(kernel, runId, { signal, background });
    return { runId, incidents: [...incidents] };
  },
});
