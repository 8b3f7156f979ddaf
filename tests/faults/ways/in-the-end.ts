import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

/** What is wrong with the world in the end, if anything; where it is to be recovered, also with the last thing that argus said. */
export async function inTheEnd(
  { recoverable, verify }: Pick<Scenario, 'recoverable' | 'verify'>,
  world: World,
  answers: readonly Answer[],
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const last = answers.findLast(({ code }) => code !== null);
    if (recoverable && last) {
      const { args, code, error } = last;
      expect({ args, code, error }).toEqual({ args, code: 0, error: undefined });
    }
    await verify(world, answers);
    return undefined;
  } catch (error) {
    return { error };
  }
}
