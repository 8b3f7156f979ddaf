import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { explainChecker } from './explain-checker.js';
import { explainCode } from './explain-code.js';
import { explainOperation } from './explain-operation.js';
import { explainRecoverer } from './explain-recoverer.js';

/** Explains the code, checker, recoverer or operation with this name, in whatever case it is written. */
export function explainNamed(kernel: Kernel, name: string) {
  const { errorCodes, checkers, recoverers, operations } = kernel;
  const asked = name.toLowerCase();
  const isAsked = (known: string | undefined) => known?.toLowerCase() === asked;
  const code = errorCodes.values().find((one) => isAsked(one.code));
  if (code) return explainCode(kernel, code);
  const checker = checkers.values().find((one) => isAsked(one.name));
  if (checker) return explainChecker(kernel, checker);
  const recoverer = recoverers.values().find((one) => isAsked(one.name));
  if (recoverer) return explainRecoverer(kernel, recoverer);
  const operation = operations.values().find((one) => isAsked(one.name) || isAsked(one.alias));
  if (operation) return explainOperation(kernel, operation);
  throw unknown(name, [...errorCodes.names(), ...checkers.names(), ...recoverers.names(), ...names(kernel)]);
}

function names({ operations }: Kernel): string[] {
  return operations.values().flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
}

function unknown(name: string, known: readonly string[]): ArgusError {
  const suggestion = nearest(name, known);
  const hint =
    suggestion === undefined ? 'explain without a name lists all codes' : `did you mean ${suggestion}?`;
  return new ArgusError(usageInvalid, {
    message: `There is no code, checker, recoverer or operation called ${name}; ${hint}`,
    details: { name, known: [...known], ...(suggestion === undefined ? {} : { suggestion }) },
  });
}
