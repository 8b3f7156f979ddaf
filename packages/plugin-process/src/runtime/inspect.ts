import type { RunIdentity, ServiceState } from '@argusai/core';
import { recordId } from '../records/process-record.js';
import { isPaused, isRunning, look, type Sighting } from '../records/sighting.js';
import type { Tools } from './tools.js';

/** How services of a run are now. */
export async function inspectServices(
  tools: Tools,
  run: RunIdentity,
  services: readonly string[],
  signal: AbortSignal,
): Promise<ServiceState[]> {
  signal.throwIfAborted();
  const records = await tools.records.list({ runId: run.id });
  return Promise.all(
    services.map(async (service): Promise<ServiceState> => {
      const record = records.find((one) => one.service === service);
      return record ? stateOf(await look(record)) : { service, status: 'missing' };
    }),
  );
}

/** How the service of a sighting is. */
function stateOf(sighting: Sighting): ServiceState {
  const { record, state } = sighting;
  const { service, spec, ports } = record;
  // It never came so far as to start anything.
  if (!state || state.starts === 0) return { service, status: 'missing' };
  const known = { service, id: recordId(record), spec, ports, restarts: state.starts - 1 };
  const started = state.events.findLast(({ type }) => type === 'started');
  const startedAt = started ? { startedAt: started.at } : {};
  const pids = { pid: state.child?.pid, keeperPid: state.keeper.pid };
  if (isRunning(sighting)) {
    const details = { ...pids, kept: sighting.keeperLives };
    // Its output and its end would go unnoticed; only a keeper that starts it anew can help that.
    const flaw = sighting.keeperLives ? {} : { flaw: 'its keeper is gone' };
    const paused = isPaused(sighting) ? { paused: true as const } : {};
    return { ...known, status: 'running', ...paused, ...startedAt, ...flaw, details };
  }
  const end = endOf(sighting);
  const details = { ...pids, ...(end?.signal ? { signal: end.signal } : {}) };
  const exitCode = end?.exitCode === undefined ? {} : { exitCode: end.exitCode };
  const endedAt = end ? { endedAt: end.at } : {};
  return { ...known, status: 'exited', ...exitCode, ...startedAt, ...endedAt, details };
}

/** How the newest process of a service ended, if anyone saw it. */
export function endOf({ state }: Sighting) {
  const last = state?.events.at(-1);
  return last?.type === 'exited' ? last : undefined;
}
