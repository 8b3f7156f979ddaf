import type { Disturbance, RunIdentity } from '@argusai/core';
import { glance, isRunning } from '../records/sighting.js';
import type { Tools } from './tools.js';

const signals: Record<Disturbance, NodeJS.Signals> = { kill: 'SIGKILL', pause: 'SIGSTOP', resume: 'SIGCONT' };

/** Harms a process of a run and all of its group from outside. Its keeper takes it for what it looks like. */
export async function disturbService(
  { records }: Pick<Tools, 'records'>,
  run: RunIdentity,
  service: string,
  how: Disturbance,
): Promise<void> {
  const record = await records.find(run.id, service);
  const sighting = record && (await glance(record));
  // It is the one that was noted, and leads a group of its own.
  const pid = sighting && isRunning(sighting) ? sighting.state?.child?.pid : undefined;
  if (pid !== undefined && pid > 1) process.kill(-pid, signals[how]);
}
