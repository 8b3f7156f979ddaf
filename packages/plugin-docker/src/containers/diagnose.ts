import {
  containerCrash,
  containerOom,
  counted,
  formatSize,
  healthCheckTimeout,
  quoted,
  type Redactor,
  type StructuredError,
  structuredError,
} from '@argusai/core';
import { healthLog } from './health-log.js';
import type { ProjectContainer } from './project-containers.js';

/** What helps where the container itself is what does not work. */
const restartName = 'docker.restart-container';
/** How much of what a health check said is kept. */
const kept = { outputs: 3, characters: 500 };

/** What a diagnosis is made with. */
interface Known {
  readonly now: number;
  readonly redactor: Pick<Redactor, 'first'>;
}

/** Says what is wrong with a container, or nothing. One that is meant to stay up must not end, not even well. */
export function diagnose(
  container: ProjectContainer,
  { meantToStay, ...known }: Known & { readonly meantToStay: boolean },
): StructuredError | undefined {
  const { Status: status, ExitCode: exitCode, OOMKilled, Error: refusal, Health: health } = container.state;
  const { now } = known;
  const hasEnded = status === 'exited' || status === 'dead';
  if (hasEnded && (exitCode !== 0 || status === 'dead' || meantToStay)) {
    return OOMKilled ? outOfMemory(container, now) : crash(container, now);
  }
  // A container that could not be started stays where it was made, with the reason.
  if (status === 'created' && refusal !== '') return crash(container, now);
  const isIll = status === 'running' && health?.Status === 'unhealthy';
  return isIll || status === 'paused' ? unwell(container, known) : undefined;
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
  const message = `${name} ${what}: ${state.Error ? quoted(state.Error) : `exit code ${state.ExitCode}`}`;
  const reason = state.Error === '' ? {} : { reason: state.Error };
  const details = { ...common(container), status: state.Status, ...reason };
  return structuredError(containerCrash, { message, details }, now);
}

/** The same code as the guardian and a setup give it, whoever says that it is not well: people act on the code. */
function unwell(container: ProjectContainer, { now, redactor }: Known): StructuredError {
  const { name, id, service, state } = container;
  const isPaused = state.Status === 'paused';
  const tries = isPaused ? 1 : (state.Health?.FailingStreak ?? 1);
  const message = isPaused
    ? `${name} hangs: it is paused`
    : `${name} is unhealthy: its health check has failed ${counted(tries, 'time')} in a row`;
  const check = isPaused ? 'the runtime says that it is paused' : "the image's own check";
  const outputs = isPaused ? [] : healthOutputs(container, redactor);
  const error = notWell({ name, id, service }, { message, check, tries, outputs }, now);
  return { ...error, suggestedActions: [restartName, ...error.suggestedActions] };
}

/** The error of a container that runs and is not well. Its last lines are left for whoever can read them. */
export function notWell(
  { name, id, service }: Pick<ProjectContainer, 'name' | 'id' | 'service'>,
  found: { message: string; check: string; tries: number; outputs: string[] },
  now: number,
): StructuredError {
  const { message, ...asked } = found;
  const details = { service, ...asked, lines: [], container: name, id };
  return structuredError(healthCheckTimeout, { message, details }, now);
}

/** What the health check said last, oldest first. */
export function healthOutputs({ state }: ProjectContainer, redactor: Pick<Redactor, 'first'>): string[] {
  return healthLog(state)
    .slice(-kept.outputs)
    .map((output) => redactor.first(output, kept.characters));
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
