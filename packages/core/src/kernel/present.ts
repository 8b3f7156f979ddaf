import { portConflict } from '../model/environment-error-codes.js';
import type { ErrorCode, StructuredError } from '../model/error-code.js';
import { type Json, toJson } from '../model/json.js';
import type { Kernel } from './kernel.js';

/** Makes an error fit to leave the kernel: only actions that can help, nothing that JSON cannot say, no secrets. */
export function presentError(kernel: Kernel, error: StructuredError): StructuredError {
  return present(kernel, { ...error, suggestedActions: usefulActions(kernel, error) });
}

/** The suggested actions that are loaded and can help with this configuration. */
export function usefulActions(
  kernel: Kernel,
  problem: Pick<ErrorCode, 'code' | 'suggestedActions'>,
): string[] {
  return problem.suggestedActions.filter(
    (action) => isLoaded(kernel, action) && !isInVain(kernel, problem.code, action),
  );
}

/** Makes any value fit to leave the kernel. */
export function present<Value>(kernel: Kernel, value: Value): Value {
  return kernel.redactor.redact(toJson(value)) as Json as Value;
}

/** Where no port may be moved, another setup finds the same one taken. */
function isInVain({ config }: Kernel, code: string, action: string): boolean {
  const mayMove = config.resilience.network.portConflictStrategy === 'auto';
  return code === portConflict.code && action === 'setup' && !mayMove;
}

function isLoaded({ recoverers, operations }: Kernel, action: string): boolean {
  return recoverers.has(action) || operations.has(action);
}
