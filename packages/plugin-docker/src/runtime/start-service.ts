import {
  ArgusError,
  isArgusError,
  isErrorOf,
  labelNames,
  limitedSignal,
  type PortMapping,
  portConflict,
  type RunContext,
  type ServiceSpec,
  serviceStartFailed,
} from '@argusai/core';
import { outOfSpace } from '../client/engine-space.js';
import { askDocker, type DockerAnswer } from './ask-docker.js';
import { chosenPorts } from './chosen-ports.js';
import type { DockerParts } from './docker-parts.js';
import type { EndedContainers } from './ended-containers.js';
import { marksOf } from './label-arguments.js';
import { lingeringSignal } from './lingering-signal.js';
import { pullImage } from './pull-image.js';
import type { ReadyStarts } from './ready-starts.js';
import { beginAgain, removal, reviveContainer } from './revive-container.js';
import { type RunCommand, runCommand } from './run-command.js';
import { runsInContainer } from './runs-in-container.js';
import { startFailure, startReason } from './start-failure.js';
import type { WayOut } from './way-out.js';

/** How long an aborted start may take to end well before it is cut short. */
const lingerMs = 5_000;
const cleanUpLimitMs = 15_000;
/** How often another port is chosen because somebody was faster. */
const portTries = 5;

/** What a start needs besides the rest. */
export interface StartParts extends DockerParts {
  readonly wayOut: WayOut;
  readonly ended: EndedContainers;
  readonly ready: ReadyStarts;
}

/** Starts the container of a service; when that fails or is aborted, nothing of it is left. */
export async function startService(
  parts: StartParts,
  service: ServiceSpec,
  spec: string,
  context: RunContext,
): Promise<void> {
  context.signal.throwIfAborted();
  const ended = parts.ended.take(context.run, service.name, spec);
  if (ended !== undefined && (await startEnded(parts, service, ended, context))) return;
  const isLocal = (await parts.client.endpoint(context.signal)).startsWith('unix:');
  for (let tries = 1; ; tries += 1) {
    const ports = isLocal ? await chosenPorts(service.ports) : service.ports;
    try {
      return await startAnew(parts, { ...service, ports }, spec, context);
    } catch (error) {
      const isChosen = ({ host }: PortMapping, index: number) =>
        service.ports[index]?.host === null && host === portIn(error);
      if (tries === portTries || !ports.some(isChosen)) throw error;
    }
  }
}

/** The port that was taken, if that is why a start failed. */
function portIn(error: unknown): number | undefined {
  const problem = isArgusError(error) ? error.error : undefined;
  return isErrorOf(problem, portConflict) ? problem.details.port : undefined;
}

/** Starts a container that was seen to have ended; false when it is gone by now. */
async function startEnded(
  { client, ready }: StartParts,
  service: ServiceSpec,
  id: string,
  { clock, signal }: RunContext,
): Promise<boolean> {
  const lingering = lingeringSignal(signal, clock, lingerMs);
  try {
    if (await ready.start(id, lingering.signal)) {
      signal.throwIfAborted();
      return true;
    }
    const answer = await beginAgain(client, id, lingering.signal);
    if (answer.exitCode === 0) signal.throwIfAborted();
    else if (!/no such container/i.test(answer.stderr)) throw startFailure(service, answer);
    return answer.exitCode === 0;
  } finally {
    lingering.release();
  }
}

async function startAnew(
  parts: StartParts,
  service: ServiceSpec,
  spec: string,
  context: RunContext,
): Promise<void> {
  const now = context.clock.now();
  const command = await commandFor(parts, service, spec, context, now);
  // A `docker run` that is cut short may still make its container, later than anyone looks for it.
  const lingering = lingeringSignal(context.signal, context.clock, lingerMs);
  const attempt: Attempt = { parts, service, spec, context, command, signal: lingering.signal };
  try {
    await launch(attempt);
    context.signal.throwIfAborted();
  } catch (error) {
    // Whoever has the name was there before.
    if (!isNameTaken(error)) await removeTraces(parts, service, context, now);
    throw error;
  } finally {
    lingering.release();
  }
}

interface Attempt {
  readonly parts: DockerParts;
  readonly service: ServiceSpec;
  readonly spec: string;
  readonly context: RunContext;
  readonly command: RunCommand;
  readonly signal: AbortSignal;
}

async function launch(attempt: Attempt): Promise<void> {
  const { parts, service, spec, context, signal } = attempt;
  let answer = await tryRun(attempt);
  if (answer.exitCode === 0) return;
  const reason = startReason(answer.stderr);
  if (reason === 'image-missing' && service.build === undefined) {
    await pullImage(parts, service, context);
    answer = await tryRun(attempt);
  } else if (reason === 'name-taken') {
    const revival = await reviveContainer(parts.client, service, spec, context, signal);
    if (revival === 'nothing') answer = await tryRun(attempt);
    else if (revival !== 'held') answer = revival;
  } else if (reason === 'no-space') {
    throw await outOfSpace(parts.client, {
      required: parts.diskSpaceThreshold,
      what: `The start of ${service.name}`,
      signal,
    });
  }
  if (answer.exitCode !== 0) throw startFailure(service, answer);
}

function tryRun({ parts, command, signal, context }: Attempt): Promise<DockerAnswer> {
  context.signal.throwIfAborted();
  const { args, ...given } = command;
  return askDocker(parts.client, args, { signal, ...given });
}

async function commandFor(
  parts: StartParts,
  service: ServiceSpec,
  spec: string,
  context: RunContext,
  now: number,
): Promise<RunCommand> {
  const { run, project, services, signal } = context;
  const outside = services.filter((other) => !runsInContainer(other)).map(({ name }) => name);
  const wayOut = outside.length === 0 ? '' : await parts.wayOut.find(run, signal);
  try {
    return runCommand(service, { run, project, outside, wayOut, spec, now });
  } catch (cause) {
    // What can be wrong before Docker is asked is the spelling of a command, a folder or a variable.
    throw new ArgusError(serviceStartFailed, {
      message: `${service.name} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
      details: { service: service.name, reason: 'failed' },
      cause,
    });
  }
}

function isNameTaken(error: unknown): boolean {
  return isArgusError(error) && error.error.details.reason === 'name-taken';
}

/** Removes what this very start has made, told by its labels from all that was there before. */
async function removeTraces(
  { client, clock }: DockerParts,
  service: ServiceSpec,
  { run }: RunContext,
  now: number,
): Promise<void> {
  // The caller's signal may be the reason why we are here.
  const { signal, release } = limitedSignal(clock, cleanUpLimitMs);
  const marks = {
    ...marksOf(run),
    [labelNames.service]: service.name,
    [labelNames.createdAt]: new Date(now).toISOString(),
  };
  try {
    const ids = await client.list('container', marks, { signal });
    if (ids.length > 0) await askDocker(client, removal(...ids), { signal });
  } catch {
    // The error that led here says more, and what is left carries labels by which it is found again.
  } finally {
    release();
  }
}
