import { createHash } from 'node:crypto';
import type { Kernel, Operation, RecoveryPlan } from '@argusai/core';
import { effectsOf } from './json-schema.js';

type Data = Readonly<Record<string, unknown>>;

/** What a call has in it that only looks. */
const dryKeys = ['dryRun', 'plan'];

/** The operations that carry out a plan with a hash of its own. */
export const planned = ['fix', 'apply-recovery'];

/**
 * Names what would be done: who agrees to it with this hash agrees to exactly that. Where it cannot be known before (`dry` is missing) it names
 * the call. Nothing where there is nothing to agree to.
 */
export function hashOfShown(
  { project: { name, dir } }: Pick<Kernel, 'project'>,
  operation: Pick<Operation, 'name'>,
  input: Data,
  dry?: unknown,
): string | undefined {
  if (operation.name === 'apply-recovery') return String(input.hash);
  if (operation.name === 'fix') return (dry as { plan?: RecoveryPlan } | undefined)?.plan?.hash ?? undefined;
  const given = Object.entries(input).filter(([key]) => !dryKeys.includes(key));
  const ordered = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const shown = JSON.stringify([name, dir, operation.name, ordered, doneBy(dry)]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}

/** What would be done, without what is only said beside it and is another word each time. */
function doneBy(dry: unknown): unknown {
  const { removed, usedBy = [] } = (dry ?? {}) as { removed?: unknown; usedBy?: unknown };
  return Array.isArray(removed) ? { removed, usedBy } : dry;
}

/** What a dry run of something that needs a yes gives to bring back with it; nothing for any other call. */
export function hashToBring(
  kernel: Pick<Kernel, 'project'>,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
): string | undefined {
  const isDry = operation.effects.destructive && effectsOf(operation, input).readOnly;
  return isDry ? hashOfShown(kernel, operation, input, data) : undefined;
}

/** What an agent that has shown something does next, when its client cannot ask. */
export function askFor(tool: string, hash: string): string {
  return `Show this to the person. Only after their yes call ${tool} with the same arguments, confirm: true and the hash ${hash} instead of the dry run`;
}
