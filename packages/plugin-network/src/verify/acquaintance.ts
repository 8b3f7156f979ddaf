import type { Acquaintance } from './judge.js';
import type { Path, ServiceMap } from './path.js';

/** Says whether the one end of a path should know the other by its name, from what the engine says of its containers. */
export function acquaintanceOf({ from, to }: Path, { where, place }: ServiceMap): Acquaintance {
  const here = place(from);
  if (where(from) !== 'container' || here === undefined) return 'known';
  if (where(to) === 'container') {
    const isShared = place(to)?.networks.some(
      ({ name, aliases }) =>
        aliases.includes(to.name) && here.networks.some((network) => network.name === name),
    );
    return isShared ? 'known' : 'not-known';
  }
  if (here.hosts.includes(to.name)) return 'known';
  // Containers are told of everything outside when they are made; only a setup replaces them for a mock that was added since.
  return from.dependsOn.includes(to.name) ? 'not-known' : 'older';
}
