import { portConflict } from '../model/environment-error-codes.js';
import type { StructuredError } from '../model/error-code.js';
import { type Json, toJson } from '../model/json.js';
import type { Kernel } from './kernel.js';

/** Makes an error fit to leave the kernel: only actions that can help, nothing that JSON cannot say, no secrets. */
export function presentError(kernel: Kernel, error: StructuredError): StructuredError {
  const suggestedActions = error.suggestedActions.filter(
    (action) => isLoaded(kernel, action) && !isInVain(kernel, error, action),
  );
  return present(kernel, { ...error, suggestedActions });
}

/** Makes any value fit to leave the kernel. */
export function present<Value>(kernel: Kernel, value: Value): Value {
  return kernel.redactor.redact(toJson(value)) as Json as Value;
}

/** Where no port may be moved, another setup finds the same one taken. */
function isInVain({ config }: Kernel, { code }: StructuredError, action: string): boolean {
  const mayMove = config.resilience.network.portConflictStrategy === 'auto';
  return code === portConflict.code && action === 'setup' && !mayMove;
}

function isLoaded({ recoverers, operations }: Kernel, action: string): boolean {
  return recoverers.has(action) || operations.has(action);
}
