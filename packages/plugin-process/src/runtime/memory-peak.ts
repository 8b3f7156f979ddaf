import { readFile } from 'node:fs/promises';
import type { RunIdentity } from '@argusai/core';
import { membersOf } from '../programs/process-table.mjs';
import { glance, isRunning } from '../records/sighting.js';
import type { Tools } from './tools.js';

/**
 * The most memory that a process of a service has used so far: of the largest one of its group, because highest marks of different moments do not
 * add up. Only Linux keeps it.
 */
export async function memoryPeak(
  { records }: Pick<Tools, 'records'>,
  run: RunIdentity,
  service: string,
): Promise<number | undefined> {
  const record = process.platform === 'linux' ? await records.find(run.id, service) : undefined;
  const sighting = record && (await glance(record));
  const leader = sighting && isRunning(sighting) ? sighting.state?.child?.pid : undefined;
  if (leader === undefined) return undefined;
  const peaks = await Promise.all(membersOf(leader).map(peakOf));
  const largest = Math.max(...peaks);
  return largest > 0 ? largest : undefined;
}

async function peakOf(pid: number): Promise<number> {
  try {
    const [, kilobytes = '0'] =
      /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    // It has ended meanwhile, and uses nothing.
    return 0;
  }
}
