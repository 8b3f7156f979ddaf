import {
  type ArgusConfig,
  excluded,
  namesOf,
  type PlannedStep,
  type PrepareContext,
  toJson,
  vetoOf,
} from '@argusai/core';
import { stepFor } from './clean-step.js';
import { orphanDetected } from './error-codes.js';
import { findOrphans, type Orphan } from './find-orphans.js';
import { findLeftCommands } from './left-command.js';
import type { OrphanParts } from './orphan-parts.js';
import { type OrphanResource, toOrphanResource } from './orphan-resource.js';
import { removeOrphans } from './remove-orphans.js';

/** What a setup reports about what it found left behind: `orphanCleanup`. */
export interface OrphanCleanupResult {
  found: (OrphanResource & { why: string })[];
  removed: OrphanResource[];
  /** What could not be removed. It stops nothing. */
  failed: (OrphanResource & { error: string })[];
  /** What was found and left alone, because the configuration, a plugin or a live run asks for it. */
  kept: (OrphanResource & { reason: string })[];
  /** What another store made. */
  foreign: OrphanResource[];
  /** Runtimes that could not be asked. */
  unknown: { runtime: string; reason: string }[];
  /** Milliseconds. */
  duration: number;
}

/** The first stage of a setup: removes what dead runs left behind, or only says what there is. */
export async function prepareEnvironment(
  parts: OrphanParts,
  config: Pick<ArgusConfig, 'resilience' | 'policy'>,
  stage: Pick<PrepareContext, 'signal' | 'report'>,
): Promise<void> {
  const { signal } = stage;
  const started = parts.clock.monotonic();
  const { orphans: left, foreign, unknown } = await findOrphans(parts, await parts.needed(), signal);
  const orphans = [...(await findLeftCommands(parts)), ...left];
  const result: OrphanCleanupResult = {
    found: orphans.map(({ resource, why }) => ({ ...toOrphanResource(resource), why })),
    removed: [],
    failed: [],
    kept: [],
    foreign: foreign.map(({ resource }) => toOrphanResource(resource)),
    unknown: [...unknown],
    duration: 0,
  };
  if (config.resilience.preflight.cleanOrphans) {
    const { allowed, kept } = await askFor(parts, orphans, config.policy.exclude, signal);
    const cleanup = await removeOrphans(
      parts,
      allowed.map(({ resource }) => resource),
      signal,
    );
    result.removed.push(...cleanup.removed.map(toOrphanResource));
    result.failed.push(
      ...cleanup.failed.map(({ resource, error }) => ({
        ...toOrphanResource(resource),
        error: error.message,
      })),
    );
    result.kept.push(
      ...[...kept, ...cleanup.spared].map(({ resource, reason }) => ({
        ...toOrphanResource(resource),
        reason,
      })),
    );
  }
  result.duration = parts.clock.monotonic() - started;
  stage.report('orphanCleanup', toJson(result));
  signal.throwIfAborted();
}

/** What the configuration keeps out of reach, or a plugin has a veto against, stays here as in every repair. */
async function askFor(
  parts: OrphanParts,
  orphans: readonly Orphan[],
  exclude: readonly string[],
  signal: AbortSignal,
) {
  const asked = await Promise.all(
    orphans.map(async (orphan) => {
      const step = plannedStep(orphan);
      const reason = excluded(exclude, namesOf(step)) ?? (await vetoOf(parts, step, signal));
      return { orphan, reason };
    }),
  );
  return {
    allowed: asked.flatMap(({ orphan, reason }) => (reason === undefined ? [orphan] : [])),
    kept: asked.flatMap(({ orphan: { resource }, reason }) =>
      reason === undefined ? [] : [{ resource, reason }],
    ),
  };
}

function plannedStep(orphan: Orphan): PlannedStep {
  const step = stepFor(orphan);
  const check = orphan.resource.type === 'process' ? 'orphans.processes' : 'orphans.docker';
  const findings = [{ check, target: step.target, code: orphanDetected.code }];
  return { recoverer: 'orphans.clean', risk: 'safe', ...step, findings };
}
