import type { ErrorCode, StructuredError } from '../model/error-code.js';
import { type Json, toJson } from '../model/json.js';
import { containerCrash, containerOom, restartContainer } from '../model/service-error-codes.js';
import { portConflict } from '../model/start-error-codes.js';
import { suggesting } from '../model/suggesting.js';
import type { Kernel } from './kernel.js';

/** The recoverer that removes what dead runs left behind. */
const orphansClean = 'orphans.clean';

/** The recoverer that removes images which a newer build has replaced. */
const dockerPrune = 'docker.prune';

/** Makes an error fit to leave the kernel: only actions that can help, nothing that JSON cannot say, no secrets. */
export function presentError(kernel: Kernel, error: StructuredError): StructuredError {
  return present(kernel, { ...error, suggestedActions: usefulActions(kernel, error) });
}

/** The suggested actions that are loaded and can help: with this configuration and, where it is one, this occurrence. */
export function usefulActions(kernel: Kernel, problem: Problem): string[] {
  return bestFirst(problem).filter(
    (action) => isLoaded(kernel, action) && !isInVain(kernel, problem, action),
  );
}

/** A kind of problem, or one occurrence of it. */
type Problem = Pick<ErrorCode, 'code' | 'suggestedActions'> | StructuredError;

/** Makes any value fit to leave the kernel. */
export function present<Value>(kernel: Kernel, value: Value): Value {
  return kernel.redactor.redact(toJson(value)) as Json as Value;
}

/** To clean up after a dead run that holds the port, or one whose folder is gone, is better than to move away from it. */
function bestFirst(problem: Problem): readonly string[] {
  const isGone = 'timestamp' in problem && problem.details.reason === 'folder-gone';
  if (isGone && problem.code === portConflict.code) return suggesting(problem, ['clean']).suggestedActions;
  const isOrphans = 'timestamp' in problem && typeof problem.details.orphan === 'string';
  const isHeld = isOrphans && problem.code === portConflict.code;
  return (isHeld ? suggesting(problem, [orphansClean]) : problem).suggestedActions;
}

/** What no run left behind cannot be cleaned, what is no container cannot be restarted as one, and without any there are no images. */
function isInVain({ config }: Kernel, problem: Problem, action: string): boolean {
  const { code } = problem;
  if (code === portConflict.code) return isInVainForPort(config, problem, action);
  if (action === dockerPrune && 'timestamp' in problem) return !mayHaveImages(config);
  const hasEnded = code === containerCrash.code || code === containerOom.code;
  const isContainer = !('timestamp' in problem) || typeof problem.details.container === 'string';
  return hasEnded && action === restartContainer && !isContainer;
}

/** A project without any service has not said that it can do without. */
function mayHaveImages({ services, mocks }: Kernel['config']): boolean {
  const all: { image?: unknown; build?: unknown }[] = [...Object.values(services), ...Object.values(mocks)];
  return all.length === 0 || all.some(({ image, build }) => (image ?? build) !== undefined);
}

/** Where the port may not be moved, another setup finds the same one taken, unless it removes who holds it. */
function isInVainForPort({ resilience }: Kernel['config'], problem: Problem, action: string): boolean {
  const isOrphans = !('timestamp' in problem) || typeof problem.details.orphan === 'string';
  if (action === orphansClean) return !isOrphans;
  const isFreed = isOrphans && 'timestamp' in problem && resilience.preflight.cleanOrphans;
  const isSpeltOut = 'timestamp' in problem && problem.details.reason === 'spelt-out';
  const mayMove = resilience.network.portConflictStrategy === 'auto' && !isSpeltOut;
  return action === 'setup' && !mayMove && !isFreed;
}

function isLoaded({ recoverers, operations }: Kernel, action: string): boolean {
  return recoverers.has(action) || operations.has(action);
}
