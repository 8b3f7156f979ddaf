import type { Resource } from '@argusai/core';
import type { MarkedRecord } from '../command/marks.js';
import { recordId } from '../records/process-record.js';
import type { Tools } from './tools.js';

/**
 * Every service that runs of a project have started here, also those that have ended since; and those that run in this folder and
 * that another store has the record of, as far as their processes show it.
 */
export async function listResources(
  tools: Tools,
  query: { project: string; runId?: string },
  signal: AbortSignal,
): Promise<Resource[]> {
  signal.throwIfAborted();
  const records = await tools.records.list(query);
  const known = new Set(records.map(recordId));
  const others = (await foreign(tools, query)).filter((one) => !known.has(recordId(one)));
  return [...records, ...others].map(resourceOf);
}

/** What this store has made it has the record of, so that what it has none of is ending, and nobody else's business. */
async function foreign(
  { marked, folder, records }: Tools,
  { project, runId }: { project: string; runId?: string },
): Promise<MarkedRecord[]> {
  // Whoever asks for one run has its record.
  if (!marked || folder === undefined || runId !== undefined) return [];
  const own = await records.storeId();
  return (await marked.in({ project, worktree: folder })).filter(({ store }) => store !== own);
}

function resourceOf(record: MarkedRecord): Resource {
  const { project, runId, store, worktree, service, createdAt } = record;
  const owner = { project, runId, store, worktree, service, createdAt };
  return { runtime: 'process', type: 'process', id: recordId(record), name: service, ...owner };
}
