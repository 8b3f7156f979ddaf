import type { ContainerPlace, RunTopology } from '@argusai/plugin-docker';

/** What is wrong with where a container is: it is not on the network of its run, or not under its service's name. */
export type Misplacement = 'not-connected' | 'nameless';

/** Says what is wrong with where a container is; nothing when it is where it should be, or does not run. */
export function misplacement(place: ContainerPlace, { network }: RunTopology): Misplacement | undefined {
  if (!place.running) return undefined;
  const own = place.networks.find(({ name }) => name === network);
  if (own === undefined) return 'not-connected';
  return own.aliases.includes(place.service) ? undefined : 'nameless';
}
