import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Line } from '../../environment/container-call.js';
import { heldDocker } from '../../environment/container-held-docker.js';
import type { Fault } from '../scenario.js';
import type { World } from '../world/world.js';

/** Where a setup can be killed. */
export type Moment = 'gate' | 'prepare' | 'resolve' | 'start' | 'waiting' | 'verify';

const fits: Record<Moment, (line: Line) => boolean> = {
  gate: inStage('gate'),
  resolve: inStage('resolve'),
  verify: inStage('verify'),
  start: inState('starting'),
  waiting: inState('waiting'),
  prepare: ({ type }) => type === 'cleanup_resource',
};

/** Kills a setup, and all that it has started to work for it, in the middle. */
export function killArgus(moment: Moment): Fault {
  return { name: `kills a setup in ${moment}`, break: (world) => killSetup(world, moment) };
}

/** Begins a setup and kills it at a moment that it would not get over by itself. */
export async function killSetup(world: World, moment: Moment): Promise<void> {
  // There is something to prepare for only after another one that has left something.
  if (moment === 'prepare') await killSetup(world, 'verify');
  if (moment === 'waiting') await world.write('unwell');
  const call = world.begin(['setup'], { HOLD_AT: moment });
  await call.until(fits[moment]);
  call.kill('SIGKILL', 'group');
  await call.ended();
  if (moment === 'waiting') await world.remove('unwell');
}

/** Kills a setup, and nothing of what it has started, while an image is built that takes its time as long as `slow` is there. */
export const killBuild: Fault = {
  name: 'kills a setup in build',
  async break(world) {
    await world.write('slow');
    const call = world.begin(['setup']);
    // Once it has nothing more to say: a client that cannot be heard any more would end of it.
    await call.until(({ type, data }) => type === 'build_output' && /\bbegun$/.test(String(data?.line)));
    call.kill('SIGKILL', 'alone');
    await call.ended();
    await world.remove('slow');
  },
};

/** Kills a clean when the one process is gone and the other, on the first port, takes its time. */
export const killClean: Fault = {
  name: 'kills a clean in the middle',
  async break(world) {
    const sign = `stubborn-${world.port}`;
    await world.write(sign);
    const call = world.begin(['clean']);
    await call.until(inState('stopped'));
    call.kill('SIGKILL', 'group');
    await call.ended();
    await world.remove(sign);
  },
};

/** Kills a clean in the moment in which its containers are gone and it does not know yet. */
export const killCleanOfContainers: Fault = {
  name: 'kills a clean after docker rm',
  async break(world) {
    const docker = await heldDocker('after rm *');
    const call = world.begin(['clean'], docker.env);
    await docker.reached(call);
    call.kill('SIGKILL', 'group');
    await call.ended();
  },
};

/** Kills a run, its tests included, while they run. The next ones find nothing to wait for. */
export const killRun: Fault = {
  name: 'kills a run while its tests run',
  async break(world) {
    const call = world.begin(['run']);
    while (!existsSync(join(world.dir, 'running'))) {
      if (call.isOver()) throw new Error(`it ended first: ${JSON.stringify(await call.ended())}`);
      await sleep(20);
    }
    call.kill('SIGKILL', 'group');
    await call.ended();
    await world.write('broken');
  },
};

function inStage(stage: string) {
  return ({ type, data }: Line) =>
    type === 'setup_stage' && data?.stage === stage && data.state === 'started';
}

function inState(state: string) {
  return ({ type, data }: Line) => type === 'service_state' && data?.state === state;
}
