import { expect } from 'vitest';
import type { Row } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import { type Config, makeWorld, type Place } from '../world/world.js';
import { inTheEnd } from './in-the-end.js';
import { strike } from './strike.js';

/** Lets the same scenario happen where nothing is checked beforehand and nothing repaired. */
export async function withoutRecovery(
  scenario: Scenario,
  place: Place,
  record: (row: Row) => void,
): Promise<void> {
  const world = await makeWorld({ ...place, adapt, patienceMs: 2_000 });
  const commands = scenario.commands.filter(([name]) => name !== 'check');
  const { answers } = await strike({ ...scenario, commands }, world);
  const failure = await inTheEnd(scenario, world, answers());
  const refused = answers().findLast(({ error }) => error !== undefined);
  const isLate = refused?.stages.some((stage) => stage !== 'gate') ?? false;
  // What cannot be recovered from should at least be noticed before anything is begun.
  const works = failure === undefined && (scenario.recoverable || !isLate);
  record({
    way: 'without',
    scenario: scenario.name,
    works,
    why: works ? '' : (refused?.error?.code ?? 'stays broken'),
  });
  if (works !== (scenario.without === 'works') && failure) throw failure.error;
  expect(works ? 'works' : 'fails').toBe(scenario.without);
}

/** The same configuration without preflight and recovery. */
function adapt(config: Config): Config {
  return {
    ...config,
    resilience: {
      preflight: { enabled: false, cleanOrphans: false },
      container: { restartOnFailure: false },
      network: { portConflictStrategy: 'fail', verifyConnectivity: false },
    },
    policy: { autonomy: 'observe' },
  };
}
