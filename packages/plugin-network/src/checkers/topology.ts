import { blindnessOf, defineChecker, isArgusError, whyNothingUp } from '@argusai/core';
import { type DockerClient, runTopology } from '@argusai/plugin-docker';
import { dnsResolutionFailed, networkUnreachable } from '../error-codes.js';
import { containersOf, currentRun, type RunParts } from '../placement/current-run.js';
import { misplacement } from '../placement/misplaced.js';
import { isNetworkThere } from '../placement/network-there.js';
import { membersOf } from '../verify/report.js';

/** What the checker works with. */
export interface TopologyParts extends RunParts {
  readonly client: () => DockerClient;
}

/** Makes `network.topology`: the containers of the environment are on its network, each under its service's name. */
export function topologyChecker(parts: TopologyParts) {
  return defineChecker({
    name: 'network.topology',
    description: "The containers of this project's environment are on its network",
    codes: [networkUnreachable, dnsResolutionFailed],
    requires: ['docker.daemon'],
    ofRun: true,
    async check({ pass, fail, skip, unknown, signal, project }) {
      const run = await currentRun(parts, project);
      const blindness = run ? undefined : blindnessOf(parts.store);
      if (blindness) return unknown(`Nobody knows what runs here: ${blindness.message}`);
      const services = run ? containersOf(run) : [];
      if (run === undefined || services.length === 0)
        return skip(await whyNothingUp(parts, project, 'No container of this project is up'));
      try {
        const topology = await runTopology(parts.client(), run, services, signal);
        const running = topology.containers.filter((place) => place.running);
        if (running.length === 0) return skip('No container of this project runs');
        const isThere = await isNetworkThere(parts.client(), topology, signal);
        return running.map((place) => {
          const { service, name } = place;
          const target = `container:${name}`;
          const wrong = misplacement(place, topology);
          if (wrong === undefined) {
            return pass(`${name} is on ${topology.network} as ${service}`, { target, details: { service } });
          }
          const { network } = topology;
          const members = membersOf(topology);
          const should = `${name} should be on the network ${network} as ${service}, and is`;
          if (wrong === 'nameless') {
            const containers = members.find((one) => one.network === network)?.containers ?? [];
            return fail(dnsResolutionFailed, {
              target,
              message: `${should} there, but not under its name`,
              details: {
                source: network,
                target: service,
                host: service,
                reason: 'not-found',
                network,
                containers,
                topology: members,
              },
            });
          }
          // Nothing can be connected to a network that is gone; a setup makes it anew.
          const code = isThere ? networkUnreachable : { ...networkUnreachable, suggestedActions: ['setup'] };
          return fail(code, {
            target,
            message: `${should} not there${isThere ? '' : ': that network is gone'}`,
            details: {
              source: service,
              target: network,
              host: service,
              port: null,
              reason: 'not-connected',
              topology: members,
            },
          });
        });
      } catch (thrown) {
        if (signal.aborted || !isArgusError(thrown)) throw thrown;
        return unknown(`The networks could not be looked at: ${thrown.message}`);
      }
    },
  });
}
