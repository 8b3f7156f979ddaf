import { onTestFinished } from 'vitest';
import type { Fault } from '../scenario.js';
import type { World } from '../world/world.js';

/** Somebody takes a container off the network of its run and puts it on another. */
export function moveToOtherNetwork(service: string): Fault {
  return {
    name: 'puts a container on another network',
    async break(world) {
      const { id, network } = await whereIs(world, service);
      const other = `${world.name}-elsewhere`;
      await world.docker('network', 'create', other);
      onTestFinished(async () => {
        await world.docker('rm', '--force', id);
        await world.docker('network', 'rm', other);
      });
      await world.docker('network', 'disconnect', network, id);
      await world.docker('network', 'connect', other, id);
    },
  };
}

/** Somebody takes a container off the network of its run. */
export function takeOffNetwork(service: string): Fault {
  return {
    name: 'takes a container off its network',
    async break(world) {
      const { id, network } = await whereIs(world, service);
      await world.docker('network', 'disconnect', network, id);
    },
  };
}

/** Somebody connects a container anew and forgets the name that others know it by. */
export function forgetName(service: string): Fault {
  return {
    name: 'takes the name of a container away',
    async break(world) {
      const { id, network } = await whereIs(world, service);
      await world.docker('network', 'disconnect', network, id);
      await world.docker('network', 'connect', network, id);
    },
  };
}

async function whereIs(world: World, service: string): Promise<{ id: string; network: string }> {
  const { [service]: id = '' } = await world.containers();
  const format = '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}';
  return { id, network: await world.docker('inspect', '--format', format, id) };
}
