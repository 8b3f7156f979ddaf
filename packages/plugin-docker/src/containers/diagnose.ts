import {
  containerCrash,
  containerOom,
  counted,
  formatSize,
  type StructuredError,
  structuredError,
} from '@argusai/core';
import { containerUnhealthy } from '../error-codes.js';
import type { ProjectContainer } from './project-containers.js';

/** How much of what a health check said is kept. */
const kept = { outputs: 3, characters: 500 };

/** Says what is wrong with a container, or nothing. One that is meant to stay up must not end, not even well. */
export function diagnose(
  container: ProjectContainer,
  { meantToStay, now }: { readonly meantToStay: boolean; readonly now: number },
): StructuredError | undefined {
  const { Status: status, ExitCode: exitCode, OOMKilled, Error: refusal, Health: health } = container.state;
  const hasEnded = status === 'exited' || status === 'dead';
  if (hasEnded && (exitCode !== 0 || status === 'dead' || meantToStay)) {
    return OOMKilled ? outOfMemory(container, now) : crash(container, now);
  }
  // A container that could not be started stays where it was made, with the reason.
  if (status === 'created' && refusal !== '') return crash(container, now);
  const isIll = status === 'running' && health?.Status === 'unhealthy';
  return isIll || status === 'paused' ? unwell(container, now) : undefined;
}

function outOfMemory(container: ProjectContainer, now: number): StructuredError {
  const { name, memoryLimit } = container;
  const limit = memoryLimit === null ? '' : ` of ${formatSize(memoryLimit)}`;
  const message = `${name} was killed because it used more memory than its limit${limit}`;
  // It was killed for having reached its limit; what the engine had counted is gone with it.
  const details = { ...common(container), memoryLimit, memoryPeak: memoryLimit };
  return structuredError(containerOom, { message, details }, now);
}

function crash(container: ProjectContainer, now: number): StructuredError {
  const { name, state } = container;
  const what = state.Status === 'created' ? 'could not be started' : `is ${state.Status}`;
  const message = `${name} ${what}: ${state.Error || `exit code ${state.ExitCode}`}`;
  const reason = state.Error === '' ? {} : { reason: state.Error };
  const details = { ...common(container), status: state.Status, ...reason };
  return structuredError(containerCrash, { message, details }, now);
}

function unwell(container: ProjectContainer, now: number): StructuredError {
  const { name, state } = container;
  const failures = state.Health?.FailingStreak ?? 0;
  const isPaused = state.Status === 'paused';
  const message = isPaused
    ? `${name} is paused`
    : `${name} is unhealthy: its health check has failed ${counted(failures, 'time')} in a row`;
  const status = isPaused ? 'paused' : 'unhealthy';
  const details = { ...common(container), status, failures, outputs: healthOutputs(container) };
  return structuredError(containerUnhealthy, { message, details }, now);
}

/** What the health check said last, oldest first. */
export function healthOutputs({ state }: ProjectContainer): string[] {
  const log = state.Health?.Log ?? [];
  return log.slice(-kept.outputs).map(({ Output }) => Output.trim().slice(0, kept.characters));
}

function common({ name, id, service, runId, state }: ProjectContainer) {
  const finishedAt = Date.parse(state.FinishedAt);
  return {
    container: name,
    id,
    service,
    runId,
    exitCode: state.Running ? null : state.ExitCode,
    // The engine's word for never is the first day of its calendar.
    finishedAt: finishedAt > 0 ? finishedAt : null,
  };
}
