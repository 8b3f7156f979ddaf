import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../scenario.js';
import type { World } from '../world/world.js';

/** Breaks something while the tests of the project run, and lets them go on. */
export function duringTests(name: string, harm: (world: World) => Promise<void>): Fault {
  return {
    name: `${name} while tests run`,
    async break(world) {
      const call = world.begin(['run']);
      while (!existsSync(join(world.dir, 'running'))) {
        if (call.isOver()) throw new Error(`it ended first: ${JSON.stringify(await call.ended())}`);
        await sleep(20);
      }
      world.struck();
      await harm(world);
      await world.write('broken');
      await world.finish(call, ['run']);
    },
  };
}
