import * as z from 'zod';
import { cleanCurrentRun, currentResources } from '../environment/clean-up.js';
import { cleanDeadRuns, deadResources } from '../environment/dead-runs.js';
import type { Resource } from '../environment/resource.js';
import { defineOperation } from '../model/operation.js';
import { structuredErrorSchema } from './report-schemas.js';

const resource = z.object({
  type: z.enum(['container', 'network', 'volume', 'process']),
  name: z.string(),
  id: z.string(),
  runId: z.string(),
  service: z.string().optional(),
});

/** Takes the environment down. */
export const clean = defineOperation({
  name: 'clean',
  summary: 'Take down everything of this project’s run',
  description:
    'Removes the containers, networks, volumes and processes of the run of this folder, dependents first. With allRuns it ' +
    'removes what dead runs of the project left behind instead; a live run is never touched.',
  input: z.strictObject({
    allRuns: z.boolean().default(false).describe('Remove what dead runs left, in whatever folder they ran'),
    dryRun: z.boolean().default(false).describe('Only say what would be removed'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    removed: z.array(resource).describe('What is gone, or would be'),
    failed: z.array(resource.extend({ error: structuredErrorSchema })),
  }),
  effects: { readOnly: false, destructive: true, idempotent: true },
  rollsBack: true,
  async run({ allRuns, dryRun }, { kernel, signal }) {
    if (dryRun) {
      const found = await (allRuns ? deadResources : currentResources)(kernel, signal);
      return { dryRun, removed: found.map(describe), failed: [] };
    }
    const { removed, failed } = await (allRuns ? cleanDeadRuns : cleanCurrentRun)(kernel, signal);
    return {
      dryRun,
      removed: removed.map(describe),
      failed: failed.map(({ resource: one, error }) => ({ ...describe(one), error })),
    };
  },
});

function describe({ type, name, id, runId, service }: Resource) {
  return { type, name, id, runId, ...(service === undefined ? {} : { service }) };
}
