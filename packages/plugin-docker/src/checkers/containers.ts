import {
  type ArgusConfig,
  type CheckOutcome,
  containerCrash,
  containerOom,
  defineChecker,
  isArgusError,
} from '@argusai/core';
import { diagnose } from '../containers/diagnose.js';
import { isMeantToStay } from '../containers/meant-to-stay.js';
import { type ContainerParts, projectContainers } from '../containers/project-containers.js';
import { containerUnhealthy } from '../error-codes.js';
import type { CheckerParts } from './daemon.js';

/** What the checker works with. */
export interface ContainersParts extends CheckerParts, ContainerParts {
  readonly config: Pick<ArgusConfig, 'services' | 'mocks'>;
}

/** Makes `docker.containers`: what is up in the project's folder works. */
export function containersChecker(parts: ContainersParts) {
  const { need, config } = parts;
  return defineChecker({
    name: 'docker.containers',
    description: "The containers of this project's environment run and are well",
    codes: [containerCrash, containerOom, containerUnhealthy],
    requires: ['docker.daemon'],
    ofRun: true,
    async check({ pass, skip, unknown, signal, project, clock }) {
      const needed = await need();
      if (needed.for === 'nothing') return skip(needed.why);
      try {
        const containers = await projectContainers(parts, project, signal);
        if (containers.length === 0) return skip('No container of this project is up');
        return containers.map((container): CheckOutcome => {
          const { name, service, state } = container;
          const target = `container:${name}`;
          const error = diagnose(container, {
            meantToStay: isMeantToStay(config, service),
            now: clock.now(),
          });
          if (error) return { status: 'fail', target, message: error.message, details: error.details, error };
          const health = state.Health ? `, ${state.Health.Status}` : '';
          return pass(`${name} is ${state.Status}${health}`, { target, details: { service } });
        });
      } catch (thrown) {
        if (signal.aborted || !isArgusError(thrown)) throw thrown;
        return unknown(`The containers could not be looked at: ${thrown.message}`);
      }
    },
  });
}
