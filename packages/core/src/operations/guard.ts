import * as z from 'zod';
import { currentRun } from '../environment/runs/claim-run.js';
import { requireAnyRuntime } from '../environment/runs/require-runtimes.js';
import { runsOf } from '../environment/runs/runs.js';
import { guardRun } from '../guardian/guard-run.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';
import { suggesting } from '../model/suggesting.js';
import { requireSight } from '../state/blindness.js';
import { incidentSchema } from './incident-schema.js';

/** Guards the environment until it is told to end. */
export const guard = defineOperation({
  name: 'guard',
  summary: 'Restart services of this project that fail, until it is stopped',
  description:
    'Guards the environment that is up in this folder: a service that crashes, runs out of memory or fails its health check is ' +
    'restarted, with evidence kept of each failure. It ends when the environment is taken down. argus setup --guard does ' +
    'the same in the background.',
  guidance: 'Call it only to guard what somebody else has set up: what {setup} brings up is guarded anyway.',
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
  leaves: 'A service that was being restarted may be down; argus status shows it, argus setup brings it up',
  async run({ run, background }, { kernel, signal }) {
    const runId = run ?? (await currentRun(kernel))?.id;
    if (runId === undefined) {
      requireSight(kernel.store);
      const message = `Nothing of ${kernel.project.name} runs in this folder; argus setup brings it up`;
      throw new ArgusError(suggesting(usageInvalid, ['setup']), { message });
    }
    // Whoever starts one in the background knows the run, and that it has ended meanwhile is no mistake.
    if (!background) await requireGuardable(kernel, runId, signal);
    const { incidents } = await guardRun(kernel, runId, { signal, background });
    return { runId, incidents: [...incidents] };
  },
});

/** Whoever asks for a guardian is told when there is nothing to guard, or when nobody can see it. */
async function requireGuardable(kernel: Kernel, id: string, signal: AbortSignal): Promise<void> {
  const { store, project } = kernel;
  const runs = await runsOf(store, project.name);
  const run = runs.find((one) => one.id === id);
  if (run) return requireAnyRuntime(kernel, run, [], signal);
  requireSight(store);
  const known = runs.map((one) => one.id);
  const suggestion = nearest(id, known);
  const named = suggestion ? `did you mean ${suggestion}?` : `there are ${known.join(', ')}`;
  const rest = known.length === 0 ? 'argus setup brings one up' : named;
  const message = `There is no run ${id} of ${project.name}; ${rest}`;
  throw new ArgusError(usageInvalid, { message, details: { known } });
}
