import type { Kernel } from '../kernel/kernel.js';
import { usefulActions } from '../kernel/present.js';
import type { ErrorCode } from '../model/error-code.js';
import { detailFields } from './detail-fields.js';
import { describeRecoverer } from './explain-recoverer.js';
import { pageOf } from './page-of.js';
import { requiredInputs } from './required-inputs.js';

/** A code in a few words. */
export function summariseCode({ errorCodes }: Kernel, { code, summary, category, severity }: ErrorCode) {
  return { code, summary, category, severity, plugin: errorCodes.ownerOf(code) ?? 'core' };
}

/** Explains a code: what it means and comes from, who finds it, what argus does about it and what a person can do. */
export function explainCode(kernel: Kernel, code: ErrorCode) {
  const { causes = [], handling, remedy, remedies } = code;
  const isThis = (other: ErrorCode) => other.code === code.code;
  const page = pageOf(kernel, code);
  return {
    kind: 'code' as const,
    ...summariseCode(kernel, code),
    causes: [...causes],
    foundBy: kernel.checkers
      .values()
      .filter(({ codes = [] }) => codes.some(isThis))
      .map(({ name }) => name),
    ...(handling === undefined ? {} : { handling }),
    autonomy: kernel.config.policy.autonomy,
    recoverers: kernel.recoverers
      .values()
      .filter(({ handles }) => handles.some(isThis))
      .map((recoverer) => describeRecoverer(kernel, recoverer)),
    ...(remedy === undefined ? {} : { remedy }),
    ...(remedies === undefined ? {} : { remedies: byReason(remedies) }),
    suggestedActions: usefulActions(kernel, code).map((name) => describeAction(kernel, name)),
    details: detailFields(code),
    ...(page === undefined ? {} : { page }),
  };
}

function byReason(remedies: NonNullable<ErrorCode['remedies']>) {
  return Object.entries(remedies).map(([reason, remedy]) => ({ reason, remedy }));
}

function describeAction({ operations, recoverers }: Kernel, name: string) {
  const operation = operations.get(name);
  if (operation) {
    const { summary } = operation;
    return { name, kind: 'operation' as const, summary, needs: requiredInputs(operation) };
  }
  return { name, kind: 'recoverer' as const, summary: recoverers.get(name)?.description ?? '', needs: [] };
}
