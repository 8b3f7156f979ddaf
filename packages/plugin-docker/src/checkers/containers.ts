import {
  type CheckContext,
  type CheckOutcome,
  containerCrash,
  containerOom,
  defineChecker,
  expectServices,
  goneService,
  type HealthParts,
  healthCheckTimeout,
  isArgusError,
  isMeantToStay,
  type MissedService,
  portConflict,
  type StructuredError,
  type TriedHealth,
  triedWithinMs,
  tryHealthOfRuns,
  whyNothingUp,
  withTimeLimit,
} from '@argusai/core';
import { diagnose, notWell } from '../containers/diagnose.js';
import { lastWords } from '../containers/last-words.js';
import {
  type ContainerParts,
  type ProjectContainer,
  projectContainers,
} from '../containers/project-containers.js';
import { containerName } from '../runtime/names.js';
import type { CheckerParts } from './daemon.js';

/** What the checker works with. */
export interface ContainersParts
  extends CheckerParts,
    ContainerParts,
    Omit<HealthParts, 'project' | 'clock'> {}

/** Who reports what is not on its network. */
const topologyCheck = 'network.topology';

/** How many of its last lines an error carries. */
const shownLines = 20;

/** How long the log of one container may take, in milliseconds, so that it costs no other's result. */
const linesMs = 1_000;

/** Makes `docker.containers`: what is up in the project's folder is there and works. */
export function containersChecker(parts: ContainersParts) {
  const { need, config } = parts;
  return defineChecker({
    name: 'docker.containers',
    description: "The containers of this project's environment run and are well",
    codes: [containerCrash, containerOom, healthCheckTimeout, portConflict],
    requires: ['docker.daemon'],
    follows: [topologyCheck],
    ofRun: true,
    timeoutMs: triedWithinMs,
    async check({ pass, skip, unknown, signal, project, clock }) {
      const needed = await need();
      if (needed.for === 'nothing') return skip(needed.why);
      try {
        const missedBeside = await expectServices(parts, project, 'docker');
        const containers = await projectContainers(parts, project, signal);
        const missed = await missedBeside(containers.map(({ service }) => service));
        if (containers.length + missed.length === 0)
          return skip(await whyNothingUp(parts, project, 'No container of this project is up'));
        const runs = containers.map(({ runId }) => runId);
        const healthOf = await tryHealthOfRuns({ ...parts, project }, runs, 'docker', signal);
        const judged = await Promise.all(
          containers.map(async (container): Promise<CheckOutcome> => {
            const { name, service, state, runId } = container;
            const target = `container:${name}`;
            const tried = healthOf(runId, service);
            const error =
              diagnose(container, {
                meantToStay: isMeantToStay(config, service),
                now: clock.now(),
                redactor: parts.redactor,
              }) ?? unwell(container, tried, clock.now());
            if (error) {
              const details = await withLines(parts, container, error, { signal, clock });
              return {
                status: 'fail',
                target,
                message: error.message,
                details,
                error: { ...error, details },
                // What is not well and off its network is one problem and not two.
                ...(container.isOffNetwork && error.code === healthCheckTimeout.code
                  ? { causedBy: { check: topologyCheck, target } }
                  : {}),
              };
            }
            if (tried?.unknown)
              return unknown(`${name} could not be asked how it is: ${tried.output}`, { target });
            const own = state.Health ? `, ${state.Health.Status}` : '';
            return pass(`${name} is ${state.Status}${tried ? ' and well' : own}`, {
              target,
              details: { service },
            });
          }),
        );
        return [...judged, ...missed.map((one) => gone(one, clock.now()))];
      } catch (thrown) {
        if (signal.aborted || !isArgusError(thrown)) throw thrown;
        return unknown(`The containers could not be looked at: ${thrown.message}`);
      }
    },
  });
}

function gone(missed: MissedService, now: number): CheckOutcome {
  const error = goneService(missed, 'its container is gone', now);
  const { message, details } = error;
  const target = `container:${containerName(missed.run, missed.service)}`;
  return { status: 'fail', target, message, details, error };
}

function unwell(
  container: ProjectContainer,
  tried: TriedHealth | undefined,
  now: number,
): StructuredError | undefined {
  if (!tried || tried.healthy || tried.unknown) return undefined;
  if (tried.conflict) return tried.conflict;
  const message = `${container.name} is not well: ${tried.output}`;
  return notWell(container, { message, check: tried.check, tries: 1, outputs: [tried.output] }, now);
}

/** One that runs and is not well may have said why; what has ended is told of by those who restart it. */
async function withLines(
  { client }: ContainersParts,
  { id }: ProjectContainer,
  { code, details }: StructuredError,
  { signal, clock }: Pick<CheckContext, 'signal' | 'clock'>,
): Promise<StructuredError['details']> {
  if (code !== healthCheckTimeout.code) return details;
  try {
    const words = await withTimeLimit(clock, linesMs, signal, 'it did not answer', (limited) =>
      lastWords(client, id, { count: shownLines, signal: limited }),
    );
    return { ...details, lines: words.map((line) => line.slice(line.indexOf(' ') + 1)) };
  } catch (thrown) {
    signal.throwIfAborted();
    // That it is not well is worth more than what it said.
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...details, lines: [`(the log could not be read: ${why})`] };
  }
}
