import { defineRecoverer, type Project, type StepResult, toStructuredError } from '@argusai/core';
import { type ContainerPlace, type RunTopology, runTopology } from '@argusai/plugin-docker';
import type { TopologyParts } from '../checkers/topology.js';
import { dnsResolutionFailed, networkUnreachable } from '../error-codes.js';
import { containersOf, currentRun } from '../placement/current-run.js';
import { type Misplacement, misplacement } from '../placement/misplaced.js';
import { isNetworkThere } from '../placement/network-there.js';
import { reconnect } from '../placement/reconnect.js';

/** A container that is not where it should be. */
interface Misplaced {
  readonly place: ContainerPlace;
  readonly wrong: Misplacement;
  readonly topology: RunTopology;
}

/**
 * Makes `network.reconnect`: connects containers of the environment that are not on its network, or not under their
 * service's name. It interrupts: an endpoint without its name has to be made anew, which ends its connections, and a
 * container that is on other networks too may go out by another way afterwards.
 */
export function reconnectRecoverer(parts: TopologyParts) {
  const misplaced = async (project: Project, signal: AbortSignal): Promise<Misplaced[]> => {
    const run = await currentRun(parts, project);
    if (run === undefined) return [];
    const topology = await runTopology(parts.client(), run, containersOf(run), signal);
    return topology.containers.flatMap((place) => {
      const wrong = misplacement(place, topology);
      return wrong === undefined ? [] : [{ place, wrong, topology }];
    });
  };

  return defineRecoverer({
    name: 'network.reconnect',
    description: "Connects containers of this project's environment to its network again",
    handles: [networkUnreachable, dnsResolutionFailed],
    risk: 'disruptive',

    async plan({ findings, project, signal }) {
      const ours = findings.filter(({ check }) => check.name === 'network.topology');
      if (ours.length === 0) return [];
      const targets = new Set(ours.map(({ check }) => check.target));
      const all = await misplaced(project, signal);
      // Where the network itself is gone only a setup helps, which makes it anew.
      const [first] = all;
      if (!first || !(await isNetworkThere(parts.client(), first.topology, signal))) return [];
      return all.flatMap(({ place, wrong, topology: { network } }) => {
        const target = `container:${place.name}`;
        if (!targets.has(target)) return [];
        const again = wrong === 'nameless' ? 'Connect it anew' : 'Connect it';
        return [
          {
            target,
            service: place.service,
            action: 'reconnect',
            reversible: true,
            resolves: [target],
            description: `${again} to ${network} as ${place.service}: ${place.name}`,
            data: { id: place.id, network, wrong },
          },
        ];
      });
    },

    async evidence({ data }, { project, signal }) {
      const found = (await misplaced(project, signal)).find(({ place }) => place.id === data?.id);
      return found ? { wrong: found.wrong, networks: found.place.networks.map(shown) } : {};
    },

    async apply({ steps, project, signal }) {
      const now = await misplaced(project, signal);
      return Promise.all(
        steps.map(async ({ target, data }): Promise<StepResult> => {
          // It is where it belongs by now: there is nothing left to do.
          const found = now.find(({ place }) => place.id === data?.id);
          if (!found) return { target, applied: true };
          try {
            await reconnect(parts.client(), found.topology.network, found.place, {
              wrong: found.wrong,
              signal,
            });
            return { target, applied: true };
          } catch (thrown) {
            return { target, applied: false, error: toStructuredError(thrown, parts.clock.now()) };
          }
        }),
      );
    },
  });
}

function shown({ name, aliases, address }: ContainerPlace['networks'][number]) {
  return { name, aliases: [...aliases], address };
}
