import type { Risk } from '../../model/recoverer.js';
import type { RuleName } from './decision.js';
import { excluded } from './excluded.js';
import { tooRisky } from './rules/autonomy.js';
import type { PolicySettings } from './settings.js';

/** What speaks against touching something, and which rule says so. */
export interface StandingRefusal {
  readonly rule: RuleName;
  readonly reason: string;
}

/**
 * What speaks against touching something whatever has happened so far: the autonomy, or that it is excluded under one of its names.
 * It holds for what is done without a plan too, by a setup or a guardian, where nothing is counted as for repairs.
 */
export function standingRefusal(
  { autonomy, exclude }: Pick<PolicySettings, 'autonomy' | 'exclude'>,
  { risk, names }: { readonly risk: Risk; readonly names: readonly string[] },
): StandingRefusal | undefined {
  const isOffLimits = excluded(exclude, names);
  if (isOffLimits !== undefined) return { rule: 'exclusion', reason: isOffLimits };
  const isTooMuch = tooRisky(autonomy, risk);
  return isTooMuch === undefined ? undefined : { rule: 'autonomy', reason: isTooMuch };
}
