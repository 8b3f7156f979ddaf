import { describe, expect, it } from 'vitest';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Complaint, Trial } from './rule.js';

/** A check that hangs is given up after seconds, and a rule may have to run several. */
const timeoutMs = 60_000;

/** Makes a test of each trial; those of one scenario stand together. */
export function describeTrials(title: string, trials: readonly Trial[]): void {
  describe(title, () => {
    for (const [scenario, some] of byScenario(trials)) {
      const list = () => {
        for (const trial of some) it(trial.rule.name, () => hold(trial), timeoutMs);
      };
      if (scenario === undefined) list();
      else describe(scenario, list);
    }
  });
}

/** Fails, with the complaint and the reason for the rule, when the rule is broken. */
export async function hold({ rule, run }: Trial): Promise<void> {
  const complaint = await run();
  if (complaint !== undefined) expect.fail(`${complaint}\nWhy it matters: ${rule.protects}`);
}

/** Tries everything and lists what is wrong. */
export async function complaintsOf(trials: readonly Trial[]): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  for (const { rule, scenario, run } of trials) {
    const complaint = await run().catch((thrown) => toStructuredError(thrown).message);
    if (complaint === undefined) continue;
    complaints.push({ rule: rule.name, ...(scenario === undefined ? {} : { scenario }), complaint });
  }
  return complaints;
}

function byScenario(trials: readonly Trial[]): Map<string | undefined, Trial[]> {
  const groups = new Map<string | undefined, Trial[]>();
  for (const trial of trials) groups.set(trial.scenario, [...(groups.get(trial.scenario) ?? []), trial]);
  return groups;
}
