import type { Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

/** What happened so far. */
export interface Struck {
  /** What argus has said since the fault began. */
  answers(): readonly Answer[];
}

/** Makes the project, lets the fault happen to it and runs the commands that people run then. */
export async function strike(
  { config, before, fault, commands }: Pick<Scenario, 'config' | 'before' | 'fault' | 'commands'>,
  world: World,
): Promise<Struck> {
  await world.configure(config(world));
  await before?.(world);
  const mark = world.heard.length;
  await fault.break(world);
  world.struck();
  for (const command of commands) await world.argus(...command);
  return { answers: () => world.heard.slice(mark) };
}
