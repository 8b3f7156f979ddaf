import { heldDocker } from '../../environment/container-held-docker.js';
import type { Fault } from '../scenario.js';
import type { Config, World } from '../world/world.js';
import { killSetup } from './kill-argus.js';

/** What a run in another folder of the project looked like. */
export type OtherProject = (other: World, world: World) => Config;

/** A run in another folder of the project is killed when everything is up; whoever looks after it is gone. */
export function leaveBehind(project: OtherProject): Fault {
  return {
    name: 'kills a run in another folder',
    async break(world) {
      const other = await world.sibling();
      await other.configure(project(other, world));
      await killSetup(other, 'verify');
    },
  };
}

/** The same, in the moment in which a command of Docker has been carried out. */
export function leaveBehindAfter(command: string, project: OtherProject): Fault {
  return {
    name: `kills a run in another folder after docker ${command}`,
    async break(world) {
      const other = await world.sibling();
      await other.configure(project(other, world));
      const docker = await heldDocker(`after ${command} *`);
      const call = other.begin(['setup'], docker.env);
      await docker.reached(call);
      call.kill('SIGKILL', 'group');
      await call.ended();
    },
  };
}
