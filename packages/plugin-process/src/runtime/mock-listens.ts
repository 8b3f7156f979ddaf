import { readFile } from 'node:fs/promises';
import { ArgusError, portConflict, type ServiceSpec, serviceStartFailed } from '@argusai/core';
import { type MockNews, readyFile } from '../command/mock-launch.js';
import type { ProcessRecord } from '../records/process-record.js';
import { isRunning, look } from '../records/sighting.js';
import { FolderWatch } from '../system/folder-watch.js';
import type { Tools } from './tools.js';

const pollMs = 100;

/** Waits until the server of a mock listens. A port that turns out to be taken is said as such. */
export async function mockListens(
  tools: Tools,
  service: ServiceSpec,
  record: ProcessRecord,
  signal: AbortSignal,
): Promise<void> {
  const watch = new FolderWatch(tools.clock, pollMs);
  try {
    watch.follow([record.dir]);
    for (;;) {
      const isAlive = isRunning(await look(record));
      const news = await readNews(record.dir);
      if (news && 'listening' in news) return;
      if (news) throw refusal(service, news.failure);
      if (!isAlive) throw refusal(service, { code: '', message: 'its server ended at once', port: 0 });
      await watch.next(signal);
      signal.throwIfAborted();
    }
  } finally {
    watch.close();
  }
}

async function readNews(dir: string): Promise<MockNews | undefined> {
  try {
    return JSON.parse(await readFile(readyFile(dir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refusal(
  { name }: ServiceSpec,
  { code, message, port }: { code: string; message: string; port: number },
) {
  if (code === 'EADDRINUSE') {
    const details = { service: name, port, protocol: 'tcp' as const };
    return new ArgusError(portConflict, { message: `The port ${port} of ${name} is taken`, details });
  }
  const details = { service: name, reason: 'failed' as const };
  return new ArgusError(serviceStartFailed, {
    message: `The mock ${name} could not be started: ${message}`,
    details,
  });
}
