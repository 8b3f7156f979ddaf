import {
  defineOperation,
  formatDuration,
  harmlessDryRun,
  type Removal,
  type Runtime,
  resourceTarget,
} from '@argusai/core';
import * as z from 'zod';
import { type Findings, type Foreign, findOrphans } from '../find-orphans.js';
import type { OrphanParts } from '../orphan-parts.js';
import { toOrphanResource } from '../orphan-resource.js';
import { removeAll } from '../remove-all.js';

const resource = z.lazy(() =>
  z.object({
    type: z.enum(['container', 'network', 'volume', 'process']),
    name: z.string(),
    id: z.string(),
    project: z.string(),
    runId: z.string(),
    worktree: z.string(),
    runtime: z.string(),
    service: z.string().optional(),
    createdAt: z.string().describe('In ISO format'),
  }),
);

const result = z.lazy(() =>
  z.object({
    dryRun: z.boolean(),
    removed: z.array(resource).describe('What is gone, or would be'),
    failed: z.array(resource.unwrap().extend({ error: z.string() })),
    refused: z.array(z.object({ name: z.string(), reason: z.string() })),
  }),
);

/** What `clean-foreign` gives. */
export type ForeignCleanup = z.output<typeof result>;

/** Makes `clean-foreign`: removes what another store made, when it is old and somebody asks for it by name. */
export function cleanForeign(parts: OrphanParts) {
  return defineOperation({
    name: 'clean-foreign',
    summary: 'Remove old things of this project that another store made, by name',
    description:
      'What another machine, user or state folder made is never removed by itself, because only its own store knows ' +
      'whether it is still in use. The checks orphans.docker and orphans.processes list it. Name what you know to be ' +
      'abandoned; anything younger than the plugin’s maxAge is refused, unless the record of its run was lost with a ' +
      'damaged store of this place.',
    guidance:
      'Call it only with names that the person knows to be abandoned, first with dryRun. ' +
      '{preflight-check} lists what there is and, afterwards, what is left.',
    input: z.lazy(() =>
      z.strictObject({
        names: z
          .array(z.string().min(1))
          .min(1)
          .describe('Names or ids, alone or with their type, such as container:argus-shop-x-api'),
        dryRun: z.boolean().default(false).describe('Only say what would be removed'),
      }),
    ),
    output: result,
    effects: { readOnly: false, destructive: true, idempotent: true },
    effectsOf: harmlessDryRun,
    async run({ names, dryRun }, { signal }) {
      const asked = await parts.needed();
      const unasked = parts.runtimes.values().filter((runtime) => !asked.includes(runtime));
      const found = await findOrphans(parts, asked, signal);
      const chosen = [...new Set(names)].map((name) => ({ name, ...choose(parts, found, unasked, name) }));
      const resources = [...new Set(chosen.flatMap(({ foreign }) => (foreign ? [foreign.resource] : [])))];
      const removals: readonly Removal[] = dryRun
        ? resources.map((one) => ({ resource: one, removed: true }))
        : await removeAll(parts, resources, signal);
      return {
        dryRun,
        removed: removals.flatMap((one) => (one.removed ? [toOrphanResource(one.resource)] : [])),
        failed: removals.flatMap((one) =>
          one.removed ? [] : [{ ...toOrphanResource(one.resource), error: one.error.message }],
        ),
        refused: chosen.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }])),
      };
    },
  });
}

type Choice = { foreign: Foreign; reason?: undefined } | { foreign?: undefined; reason: string };

function choose(
  { maxAgeMs }: OrphanParts,
  { foreign, unknown }: Findings,
  unasked: readonly Runtime[],
  name: string,
): Choice {
  const matching = foreign.filter((one) => namesOf(one).includes(name));
  const [first, second] = matching;
  if (!first) {
    const silent = unknown.map(({ runtime, reason }) => `; ${runtime} could not be asked: ${reason}`);
    const skipped = unasked.map((one) => `; ${one.name} was not asked: no service of this project uses it`);
    const gaps = [...silent, ...skipped].join('');
    return { reason: `another store made nothing of this project that is called so${gaps}` };
  }
  if (second) return { reason: `there are ${matching.length} that are called so; give its type and id` };
  if (!first.old && !first.lost) return { reason: `it is not older than ${formatDuration(maxAgeMs)}` };
  return { foreign: first };
}

function namesOf({ resource: one }: Foreign): string[] {
  return [resourceTarget(one), `${one.type}:${one.id}`, `${one.type}:${one.name}`, one.id, one.name];
}
