import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ownerLookup } from '../ownership/liveness.js';
import { livenessOfRecord } from './judge-resource.js';
import type { RunRecord } from './run-record.js';
import { runsOf } from './runs.js';

/** The ids of a project's runs that are up. */
export async function runsUp(
  parts: Pick<Kernel, 'store' | 'clock'>,
  project: string,
): Promise<ReadonlySet<string>> {
  return new Set((await recordsUp(parts, project)).map(({ id }) => id));
}

/** The records of a project's runs that are up, oldest first. */
export async function recordsUp(
  { store, clock }: Pick<Kernel, 'store' | 'clock'>,
  project: string,
): Promise<RunRecord[]> {
  const lookUp = ownerLookup(hostname());
  const up: RunRecord[] = [];
  for (const run of await runsOf(store, project)) {
    const { alive } = await livenessOfRecord(run, clock.now(), lookUp);
    if (run.state === 'up' && alive) up.push(run);
  }
  return up;
}
