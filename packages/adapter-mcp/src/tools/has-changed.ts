import type { Operation, RecoveryReport } from '@argusai/core';
import { effectsOf } from './json-schema.js';

type Data = Readonly<Record<string, unknown>>;

/** Whether a call that went well has changed something in the environment, by what it says itself; the runs are looked at anyway. */
export function hasChanged(operation: Operation, input: Data, data: unknown): boolean {
  if (effectsOf(operation, input).readOnly) return false;
  const of = changes[operation.name];
  // What is not known here, such as an operation of a plugin, has done what it is there for.
  return of && typeof data === 'object' && data !== null ? of(data as Data) : true;
}

/** What runs or does not is told by the runs, and what a circuit lets through changes nothing in the environment. */
const never = () => false;

const changes: Readonly<Record<string, (data: Data) => boolean>> = {
  setup: never,
  run: never,
  build: never,
  guard: never,
  init: never,
  'reset-circuit': never,
  clean: ({ removed }) => isSome(removed),
  'clean-foreign': ({ removed }) => isSome(removed),
  'preflight-check': ({ recovery }) => isRepaired(recovery),
  'apply-recovery': isRepaired,
  fix: ({ report }) => isRepaired(report),
};

/** Whether a step was taken, however it ended. */
function isRepaired(report: unknown): boolean {
  const { steps = [] } = (report ?? {}) as Partial<RecoveryReport>;
  return steps.some(({ outcome }) => outcome === 'applied' || outcome === 'failed');
}

function isSome(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
