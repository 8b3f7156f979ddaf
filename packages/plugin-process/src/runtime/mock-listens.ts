import { readFile } from 'node:fs/promises';
import {
  ArgusError,
  portConflict,
  type RunContext,
  type ServiceSpec,
  serviceStartFailed,
} from '@argusai/core';
import { type MockNews, readyFile } from '../command/mock-launch.js';
import type { MockFailure, MockReady } from '../programs/mock-server.mjs';
import type { ProcessRecord } from '../records/process-record.js';
import { isRunning, look } from '../records/sighting.js';
import { FolderWatch } from '../system/folder-watch.js';
import { actualPort } from '../system/taken-port.js';
import { misled } from './refuse-misled.js';
import type { Tools } from './tools.js';

const pollMs = 100;

/** Waits until the server of a mock listens. A port that turns out to be taken is said as such. */
export async function mockListens(
  tools: Tools,
  service: ServiceSpec,
  record: ProcessRecord,
  context: RunContext,
): Promise<void> {
  const { signal } = context;
  const watch = new FolderWatch(tools.clock, pollMs);
  try {
    watch.follow([record.dir]);
    for (;;) {
      const isAlive = isRunning(await look(record));
      const news = await readNews(record.dir);
      if (news && 'listening' in news) return tellTaken(service, news, context);
      if (news) throw refusal(service, context, news.failure);
      if (!isAlive) {
        const message = 'its server ended at once';
        throw refusal(service, context, { code: '', message, host: '', port: 0 });
      }
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

/** Says where somebody else is on the port of the configuration, so that containers reach it on another one only. */
function tellTaken(
  { name, ports }: ServiceSpec,
  { taken }: MockReady,
  { gateways = [], events }: RunContext,
): void {
  const inTheWay = taken.find(({ host }) => gateways.includes(host));
  if (!inTheWay) return;
  const given = ports.find(({ container }) => container === inTheWay.port);
  const message = `somebody else has the port ${inTheWay.port} on ${inTheWay.host}, so containers reach it at ${name}:${given?.host}`;
  events.emit('service_state', { service: name, state: 'starting', message });
}

function refusal(
  { name, ports }: ServiceSpec,
  { services }: RunContext,
  { code, message, host, port }: MockFailure['failure'],
): ArgusError {
  if (code === 'EADDRINUSE') {
    if (ports.every((mapping) => actualPort(mapping) !== port))
      return misled(name, port, services, ` on ${host}`);
    const details = { service: name, port, protocol: 'tcp' as const };
    return new ArgusError(portConflict, { message: `The port ${port} of ${name} is taken`, details });
  }
  const details = { service: name, reason: 'failed' as const };
  return new ArgusError(serviceStartFailed, {
    message: `The mock ${name} could not be started: ${message}`,
    details,
  });
}
