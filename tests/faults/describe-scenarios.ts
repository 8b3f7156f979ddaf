import { describe, it } from 'vitest';
import type { Row } from './report/row.js';
import type { Scenario } from './scenario.js';
import { byAgent } from './ways/agent.js';
import { withRecovery } from './ways/with-recovery.js';
import { withoutRecovery } from './ways/without-recovery.js';
import type { Place } from './world/world.js';

/** Engines, images and whole test runs take their time on a busy machine. */
const timeout = 180_000;

/** Lets each scenario happen: to the product as it is, without preflight and recovery, and to an agent. */
export function describeScenarios(scenarios: readonly Scenario[], place: () => Place): void {
  for (const scenario of scenarios) {
    const { name, recoverable, without, agent } = scenario;
    describe(name, () => {
      it(`is reported and ${recoverable ? 'recovered from' : 'does no harm'}`, { timeout }, async ({
        task,
      }) => {
        await withRecovery(scenario, place(), recordIn(task));
      });
      if (typeof without === 'string') {
        it(`${without} without preflight and recovery`, { timeout }, async ({ task }) => {
          await withoutRecovery(scenario, place(), recordIn(task));
        });
      }
      if ('goals' in agent) {
        it(recoverable ? 'is overcome by an agent' : 'makes an agent stop', { timeout }, async ({ task }) => {
          await byAgent(scenario, agent.goals, place(), recordIn(task));
        });
      }
    });
  }
}

function recordIn({ meta }: { readonly meta: { fault?: Row } }) {
  return (row: Row) => {
    meta.fault = row;
  };
}
