import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import type { Project } from '../../model/project.js';
import { ownerLookup } from '../ownership/liveness.js';
import { livenessOfRecord } from './judge-resource.js';
import { runsOf } from './runs.js';

/**
 * Why a check of what is up in the project's folder has nothing to look at: somebody is just starting the environment or taking it down,
 * or there is none, which is told in the checker's own words.
 */
export async function whyNothingUp(
  { store, clock }: Pick<Kernel, 'store' | 'clock'>,
  { name, dir }: Project,
  none: string,
): Promise<string> {
  const lookUp = ownerLookup(hostname());
  for (const { state, ...run } of await runsOf(store, name)) {
    if (run.worktree !== dir || state === 'up') continue;
    const { alive } = await livenessOfRecord({ state, ...run }, clock.now(), lookUp);
    const doing = state === 'starting' ? 'started' : 'taken down';
    if (alive) return `The environment is just being ${doing}, so it was not looked at`;
  }
  return none;
}
