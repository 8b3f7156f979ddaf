import { expect } from 'vitest';
import type { Row } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import { makeWorld, type Place } from '../world/world.js';
import { detectionOf } from './detection.js';
import { inTheEnd } from './in-the-end.js';
import { strike } from './strike.js';

/** Lets a scenario happen to the product as people get it. The row is given before anything is expected of it. */
export async function withRecovery(
  scenario: Scenario,
  place: Place,
  record: (row: Row) => void,
): Promise<void> {
  const world = await makeWorld(place);
  const { answers } = await strike(scenario, world);
  const failure = await inTheEnd(scenario, world, answers());
  const seconds = (Date.now() - world.struck()) / 1_000;
  const detection = detectionOf(scenario.detected, world, answers());
  record({
    way: 'with',
    scenario: scenario.name,
    recoverable: scenario.recoverable,
    seconds,
    detectable: detection !== undefined,
    detected: detection?.found ?? null,
    verified: failure === undefined,
    leftOut: leftOutOf(scenario),
    ...(scenario.note && !failure ? { note: scenario.note(answers()) } : {}),
  });
  if (detection) expect(detection.told).toContainEqual(detection.wanted);
  if (failure) throw failure.error;
}

function leftOutOf({ without, agent }: Scenario) {
  return {
    ...(typeof without === 'string' ? {} : { without: without.pointless }),
    ...('pointless' in agent ? { agent: agent.pointless } : {}),
  };
}
