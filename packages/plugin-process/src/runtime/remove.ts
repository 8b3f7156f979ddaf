import {
  cleanupFailed,
  type Removal,
  type Resource,
  structuredError,
  toStructuredError,
} from '@argusai/core';
import { endProcess } from './end-process.js';
import { endStrays } from './end-strays.js';
import type { Tools } from './tools.js';

/** Ends processes and removes what is known of them, all at once. */
export function removeProcesses(
  tools: Tools,
  resources: readonly Resource[],
  options: { readonly graceMs: number; readonly signal: AbortSignal },
): Promise<Removal[]> {
  return Promise.all(resources.map((resource) => removeOne(tools, resource, options)));
}

async function removeOne(
  tools: Tools,
  resource: Resource,
  options: { readonly graceMs: number; readonly signal: AbortSignal },
): Promise<Removal> {
  let killed: true | undefined;
  const onOverdue = () => {
    killed = true;
  };
  const reason = await tryToRemove(tools, resource, { ...options, onOverdue });
  tools.marked?.forget();
  if (reason === undefined) return { resource, removed: true, killed };
  const { type, name, id } = resource;
  const message = `The process ${name} could not be removed: ${reason}`;
  const occurrence = { message, details: { type, name, id, reason } };
  return { resource, removed: false, error: structuredError(cleanupFailed, occurrence, tools.clock.now()) };
}

/** Why it could not be removed; nothing when it is gone. */
async function tryToRemove(
  tools: Tools,
  { runtime, runId, service, project, store }: Resource,
  options: { readonly graceMs: number; readonly signal: AbortSignal; readonly onOverdue: () => void },
): Promise<string | undefined> {
  if (runtime !== 'process' || service === undefined) return 'it is not a process of this runtime';
  try {
    const record = await tools.records.find(runId, service);
    // Somebody else's store has its record, or nobody's any more: what carries its marks is all that there is of it here.
    if (!record) return await endStrays(tools.clock, { runId, service, store }, options);
    if (record.project !== project || record.store !== store)
      return 'its record says that it is not the same';
    return await endProcess(tools, record, options);
  } catch (error) {
    return toStructuredError(error).message;
  }
}
