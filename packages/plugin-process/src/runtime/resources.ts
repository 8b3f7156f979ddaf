import type { Resource } from '@argusai/core';
import { type ProcessRecord, recordId } from '../records/process-record.js';
import type { Tools } from './tools.js';

/** Every service that runs of a project have started here, also those that have ended since. */
export async function listResources(
  tools: Tools,
  query: { project: string; runId?: string },
  signal: AbortSignal,
): Promise<Resource[]> {
  signal.throwIfAborted();
  return (await tools.records.list(query)).map(resourceOf);
}

function resourceOf(record: ProcessRecord): Resource {
  const { project, runId, store, worktree, service, createdAt } = record;
  const owner = { project, runId, store, worktree, service, createdAt };
  return { runtime: 'process', type: 'process', id: recordId(record), name: service, ...owner };
}
