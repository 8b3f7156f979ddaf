import {
  containerCrash,
  containerOom,
  portConflict,
  restartContainer,
} from '../model/environment-error-codes.js';
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

/** Where no port may be moved, another setup finds the same one taken; and what is no container cannot be restarted as one. */
function isInVain({ config }: Kernel, { code, details }: StructuredError, action: string): boolean {
  const mayMove = config.resilience.network.portConflictStrategy === 'auto';
  if (code === portConflict.code) return action === 'setup' && !mayMove;
  const hasEnded = code === containerCrash.code || code === containerOom.code;
  return hasEnded && action === restartContainer && typeof details.container !== 'string';
}

function isLoaded({ recoverers, operations }: Kernel, action: string): boolean {
  return recoverers.has(action) || operations.has(action);
}
