import type { RunIdentity } from '@argusai/core';
import { endProcess } from './end-process.js';
import type { Tools } from './tools.js';

/** Ends processes of a run; their output and what is known of them stay for their successors. */
export async function stopServices(
  tools: Tools,
  run: RunIdentity,
  services: readonly string[],
  { graceMs, signal }: { readonly graceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  await Promise.all(
    services.map(async (service) => {
      const record = await tools.records.find(run.id, service);
      const left = record && (await endProcess(tools, record, { graceMs, keepFolder: true, signal }));
      signal.throwIfAborted();
      if (left !== undefined) throw new Error(`${service} could not be stopped: ${left}`);
    }),
  );
}
