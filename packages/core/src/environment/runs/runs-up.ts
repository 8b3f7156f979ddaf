import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ownerLookup } from '../ownership/liveness.js';
import { livenessOfRecord } from './judge-resource.js';
import { runsOf } from './runs.js';

/** The ids of a project's runs that are up. */
export async function runsUp(
  { store, clock }: Pick<Kernel, 'store' | 'clock'>,
  project: string,
): Promise<ReadonlySet<string>> {
  const lookUp = ownerLookup(hostname());
  const up = new Set<string>();
  for (const run of await runsOf(store, project)) {
    const { alive } = await livenessOfRecord(run, clock.now(), lookUp);
    if (run.state === 'up' && alive) up.add(run.id);
  }
  return up;
}
