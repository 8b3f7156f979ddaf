import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { recordLeft } from '../removal/remnants.js';
import { removeOfRun } from '../removal/remove-of-run.js';
import type { TakenDown } from '../removal/taken-down.js';
import type { Claim } from '../runs/claim-run.js';
import { nowUp } from '../runs/interrupted.js';
import type { RunRecord } from '../runs/run-record.js';
import { changeRun, readRun } from '../runs/runs.js';
import type { ServiceSpec } from '../services/service-spec.js';

/**
 * Takes down what a setup has started in a run that was up before, and leaves the services that it has not touched: the run
 * is up again, with them. What could not be removed stays in its record, so that whoever tries again finds it.
 */
export async function takeBack(
  kernel: Kernel,
  { run, before }: Claim & { readonly before: RunRecord },
  services: readonly ServiceSpec[],
  left: readonly string[],
  signal: AbortSignal,
  graceMs?: number,
): Promise<TakenDown> {
  const latest = (await readRun(kernel.store, run.id)) ?? run;
  const isStarted = ({ service }: { readonly service?: string }) =>
    service !== undefined && !left.includes(service);
  const { removed, failed } = await removeOfRun(kernel, latest, services, isStarted, signal, graceMs);
  const stays = new Set([...left, ...failed.flatMap(({ resource: { service } }) => service ?? [])]);
  try {
    await changeRun(kernel.store, run.id, (record) => ({
      ...nowUp(withHoldersOf(record, run, before)),
      portMappings: before.portMappings,
      services: Object.fromEntries(Object.entries(record.services).filter(([name]) => stays.has(name))),
    }));
    return { removed, failed };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    return { removed, failed: [...failed, recordLeft(kernel, run, message)] };
  }
}

/** The record with those who held the run before, without whom the setup was for. */
function withHoldersOf({ holders: now, ...record }: RunRecord, run: RunRecord, before: RunRecord): RunRecord {
  if (!before.holders) return record;
  const isNew = ({ id }: { readonly id: string }) =>
    run.holders?.some((one) => one.id === id) && !before.holders?.some((one) => one.id === id);
  return { ...record, holders: (now ?? before.holders).filter((holder) => !isNew(holder)) };
}
