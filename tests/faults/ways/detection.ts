import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

/** Whether a fault was reported. */
export interface Detection {
  /** The code, or the event; left out when it was not reported. */
  readonly found?: string;
  /** What the report must look like. */
  readonly wanted: unknown;
  /** All that was reported. */
  readonly told: readonly unknown[];
}

/** Looks for the report of a fault in what argus has said. Nothing when there is nothing to report. */
export function detectionOf(
  detected: Scenario['detected'],
  world: World,
  answers: readonly Answer[],
): Detection | undefined {
  if ('nothing' in detected) return undefined;
  if ('event' in detected) {
    const { event: type, data } = detected;
    const wanted = expect.objectContaining({ type, data: expect.objectContaining(data(world)) });
    const told = answers.flatMap(({ events }) => events).filter((event) => event.type === type);
    return { wanted, told, ...(told.some((one) => wanted.asymmetricMatch(one)) ? { found: type } : {}) };
  }
  const { details, ...kind } = detected;
  const wanted = expect.objectContaining({ ...kind, details: expect.objectContaining(details(world)) });
  const errors = answers.flatMap((answer) => answer.errors);
  const found = errors.find((error) => wanted.asymmetricMatch(error))?.code;
  // Whole reports of checks in their details would make a failure too long to read.
  const told = errors.map(({ details: { report: _, ...rest }, ...error }) => ({ ...error, details: rest }));
  return { wanted, told, ...(found === undefined ? {} : { found }) };
}
