import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { ownerLookup } from '../ownership/liveness.js';
import { ownIdentity } from '../processes/process-identity.js';
import type { RunFault, RunRecord } from './run-record.js';
import { changeRun } from './runs.js';

/**
 * Notes in a run's record that a service is broken on purpose and until when, so that it can be told, and taken back by others
 * when whoever has done it is killed. Gives what strikes it off again.
 */
export async function noteFault(
  { store }: Pick<Kernel, 'store'>,
  runId: string,
  fault: Omit<RunFault, 'by'>,
): Promise<() => Promise<void>> {
  const noted: RunFault = { ...fault, by: await ownIdentity() };
  await changeRun(store, runId, (run) => ({ ...run, faults: [...(run.faults ?? []), noted] }));
  return () => strikeOff(store, runId, noted);
}

/**
 * Takes back what an argus that is surely gone has broken on purpose: services that it has paused go on. What cannot be taken back
 * stays noted, for the next who tries, and that is told. Gives the services that go on.
 */
export async function endLeftFaults(
  { store, runtimes, events }: Pick<Kernel, 'store' | 'runtimes' | 'events'>,
  run: RunRecord,
  signal: AbortSignal,
): Promise<string[]> {
  const lookUp = ownerLookup(hostname());
  const resumed: string[] = [];
  for (const left of run.faults ?? []) {
    if ((await lookUp(left.by)) !== 'dead') continue;
    const { fault, service } = left;
    const told = { fault, target: `service:${service}` };
    const noted = run.services[service];
    try {
      // A service that the run has no more was taken down with its fault.
      if (noted) await letGoOn(runtimes, run, service, noted.runtime, signal);
      await strikeOff(store, run.id, left);
      if (!noted) continue;
      resumed.push(service);
      events.emit('fault_undone', told);
    } catch (thrown) {
      // No reason to fail: a service that is still paused is told of and dealt with as any other that hangs.
      events.emit('fault_left', { ...told, message: toStructuredError(thrown).message });
    }
  }
  return resumed;
}

async function letGoOn(
  runtimes: Kernel['runtimes'],
  run: RunRecord,
  service: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const runtime = runtimes.get(name);
  if (!runtime) throw new Error(`no loaded plugin brings the runtime ${name}`);
  if (!runtime.disturb) throw new Error(`services on ${name} cannot be let go on`);
  await runtime.disturb(run, service, 'resume', signal);
}

/** What a service that is paused on purpose says of it; nothing when it is not. */
export async function pausedOnPurpose(
  { faults = [] }: Pick<RunRecord, 'faults'>,
  service: string,
): Promise<string | undefined> {
  const fault = faults.findLast((one) => one.service === service);
  if (!fault) return undefined;
  const until = new Date(fault.until).toISOString();
  return (await ownerLookup(hostname())(fault.by)) === 'dead'
    ? `it is paused: the argus that was to let it go on at ${until} is gone; argus setup does it`
    : `it is paused on purpose until ${until}`;
}

async function strikeOff(store: Kernel['store'], runId: string, { service, by }: RunFault): Promise<void> {
  const isOther = (one: RunFault) =>
    one.service !== service || one.by.pid !== by.pid || one.by.startedAt !== by.startedAt;
  await changeRun(store, runId, ({ faults = [], ...run }) => ({ ...run, faults: faults.filter(isOther) }));
}
