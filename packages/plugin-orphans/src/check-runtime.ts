import {
  type CheckContext,
  type CheckOutcome,
  formatDuration,
  type JsonObject,
  resourceTarget,
  runRecordLost,
} from '@argusai/core';
import { orphanDetected } from './error-codes.js';
import { type Foreign, findOrphans, type Orphan } from './find-orphans.js';
import type { OrphanParts } from './orphan-parts.js';
import { nameOf, toOrphanResource } from './orphan-resource.js';

/** Says what dead runs left in one runtime and what is known of `besides`, each thing by itself, and what is there that another store made. */
export async function checkRuntime(
  parts: OrphanParts,
  name: string,
  context: CheckContext,
  besides: readonly Orphan[] = [],
): Promise<CheckOutcome[]> {
  const runtime = parts.runtimes.get(name);
  const told = besides.map((orphan) => orphanOutcome(orphan, parts, context));
  if (!runtime) return told.length > 0 ? told : [context.skip(`no loaded plugin brings the runtime ${name}`)];
  const { orphans, foreign, unknown } = await findOrphans(parts, [runtime], context.signal);
  const [silent] = unknown;
  if (silent) return [...told, context.unknown(`cannot look for what was left behind: ${silent.reason}`)];
  const lost = foreign.filter((one) => one.lost);
  const others = foreign.filter((one) => !one.lost);
  return [
    ...told,
    ...orphans.map((orphan) => orphanOutcome(orphan, parts, context)),
    ...lost.map((one) => lostOutcome(one, context)),
    ...(told.length + orphans.length + lost.length === 0 ? [context.pass('nothing left behind')] : []),
    ...(others.length === 0 ? [] : [foreignOutcome(others, context)]),
  ];
}

function orphanOutcome(
  { resource, why }: Orphan,
  { setupCleans }: OrphanParts,
  { warn, clock }: CheckContext,
): CheckOutcome {
  const { createdAt } = resource;
  const age = formatDuration(Math.max(0, clock.now() - createdAt));
  const suggestedActions = [...(setupCleans ? ['setup'] : []), ...orphanDetected.suggestedActions];
  return warn(
    { ...orphanDetected, suggestedActions },
    {
      target: resourceTarget(resource),
      message: `${nameOf(resource)} was left behind, ${age} old: ${why}`,
      details: { ...toOrphanResource(resource), why },
    },
  );
}

/** It may be in use, so it is no orphan; and nobody will ever take it down unless he is told. */
function lostOutcome({ resource }: Foreign, { warn }: CheckContext): CheckOutcome {
  return warn(runRecordLost, {
    target: resourceTarget(resource),
    message: `${nameOf(resource)} is still there, but the record of its run was lost`,
    details: { ...toOrphanResource(resource), names: [resourceTarget(resource)] },
  });
}

/** Nothing is wrong with what others have, but whoever wonders what else is there should find it. */
function foreignOutcome(foreign: readonly Foreign[], { pass }: CheckContext): CheckOutcome {
  const shown = foreign.slice(0, 3).map(({ resource }) => resourceTarget(resource));
  const more = foreign.length > shown.length ? ` and ${foreign.length - shown.length} more` : '';
  const message = `made by another store and left alone: ${shown.join(', ')}${more}`;
  const listed = foreign.map(({ resource, old }): JsonObject => {
    return { ...toOrphanResource(resource), store: resource.store, old };
  });
  return pass(message, { target: 'foreign', details: { foreign: listed } });
}
