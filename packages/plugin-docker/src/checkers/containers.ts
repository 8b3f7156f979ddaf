import {
  type CheckOutcome,
  containerCrash,
  containerOom,
  defineChecker,
  type HealthParts,
  healthCheckTimeout,
  isArgusError,
  type Project,
  readRun,
  type StructuredError,
  type TriedHealth,
  tryHealth,
} from '@argusai/core';
import { diagnose, notWell } from '../containers/diagnose.js';
import { lastWords } from '../containers/last-words.js';
import { isMeantToStay } from '../containers/meant-to-stay.js';
import {
  type ContainerParts,
  type ProjectContainer,
  projectContainers,
} from '../containers/project-containers.js';
import type { CheckerParts } from './daemon.js';

/** What the checker works with. */
export interface ContainersParts
  extends CheckerParts,
    ContainerParts,
    Omit<HealthParts, 'project' | 'clock'> {}

/** How many of its last lines an error carries. */
const shownLines = 20;

/** Makes `docker.containers`: what is up in the project's folder works. */
export function containersChecker(parts: ContainersParts) {
  const { need, config } = parts;
  return defineChecker({
    name: 'docker.containers',
    description: "The containers of this project's environment run and are well",
    codes: [containerCrash, containerOom, healthCheckTimeout],
    requires: ['docker.daemon'],
    ofRun: true,
    async check({ pass, skip, unknown, signal, project, clock }) {
      const needed = await need();
      if (needed.for === 'nothing') return skip(needed.why);
      try {
        const containers = await projectContainers(parts, project, signal);
        if (containers.length === 0) return skip('No container of this project is up');
        const health = await healthOf(parts, containers, project, signal);
        return await Promise.all(
          containers.map(async (container): Promise<CheckOutcome> => {
            const { name, service, state } = container;
            const target = `container:${name}`;
            const tried = health.get(container);
            const error =
              diagnose(container, { meantToStay: isMeantToStay(config, service), now: clock.now() }) ??
              unwell(container, tried, clock.now());
            if (error) {
              const details = await withLines(parts, container, error, signal);
              return {
                status: 'fail',
                target,
                message: error.message,
                details,
                error: { ...error, details },
              };
            }
            const own = state.Health ? `, ${state.Health.Status}` : '';
            return pass(`${name} is ${state.Status}${tried ? ' and well' : own}`, {
              ...{ target, details: { service } },
            });
          }),
        );
      } catch (thrown) {
        if (signal.aborted || !isArgusError(thrown)) throw thrown;
        return unknown(`The containers could not be looked at: ${thrown.message}`);
      }
    },
  });
}

/** What the health checks of the configuration come to, by container. */
async function healthOf(
  parts: ContainersParts,
  containers: readonly ProjectContainer[],
  project: Project,
  signal: AbortSignal,
): Promise<Map<ProjectContainer, TriedHealth>> {
  const health = new Map<ProjectContainer, TriedHealth>();
  for (const runId of new Set(containers.map((container) => container.runId))) {
    const run = await readRun(parts.store, runId);
    const tried = run && (await tryHealth({ ...parts, project }, run, 'docker', signal));
    for (const container of containers) {
      const result = container.runId === runId ? tried?.get(container.service) : undefined;
      if (result) health.set(container, result);
    }
  }
  return health;
}

function unwell(
  container: ProjectContainer,
  tried: TriedHealth | undefined,
  now: number,
): StructuredError | undefined {
  if (!tried || tried.healthy) return undefined;
  const message = `${container.name} is not well: ${tried.output}`;
  return notWell(container, { message, check: tried.check, tries: 1, outputs: [tried.output] }, now);
}

/** One that runs and is not well may have said why; what has ended is told of by those who restart it. */
async function withLines(
  { client }: ContainersParts,
  { id }: ProjectContainer,
  { code, details }: StructuredError,
  signal: AbortSignal,
): Promise<StructuredError['details']> {
  if (code !== healthCheckTimeout.code) return details;
  try {
    const words = await lastWords(client, id, { count: shownLines, signal });
    return { ...details, lines: words.map((line) => line.slice(line.indexOf(' ') + 1)) };
  } catch (thrown) {
    signal.throwIfAborted();
    // That it is not well is worth more than what it said.
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...details, lines: [`(the log could not be read: ${why})`] };
  }
}
