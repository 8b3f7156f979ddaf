import type { Line } from '../../environment/container-call.js';
import type { Fault } from '../scenario.js';
import type { World } from '../world/world.js';

/** Where a setup can be killed. */
export type Moment = 'gate' | 'resolve' | 'start' | 'waiting' | 'verify';

const fits: Record<Moment, (line: Line) => boolean> = {
  ...{ gate: inStage('gate'), resolve: inStage('resolve'), verify: inStage('verify') },
  ...{ start: inState('starting'), waiting: inState('waiting') },
};

/** Kills a setup, and all that it has started to work for it, in the middle. */
export function killArgus(moment: Moment): Fault {
  return { name: `kills a setup in ${moment}`, break: (world) => killSetup(world, moment) };
}

/** Begins a setup and kills it at a moment that it would not get over by itself. */
export async function killSetup(world: World, moment: Moment): Promise<void> {
  if (moment === 'waiting') await world.write('unwell');
  const call = world.begin(['setup'], { HOLD_AT: moment });
  await call.until(fits[moment]);
  call.kill('SIGKILL', 'group');
  await call.ended();
  if (moment === 'waiting') await world.remove('unwell');
}

function inStage(stage: string) {
  return ({ type, data }: Line) =>
    type === 'setup_stage' && data?.stage === stage && data.state === 'started';
}

function inState(state: string) {
  return ({ type, data }: Line) => type === 'service_state' && data?.state === state;
}
