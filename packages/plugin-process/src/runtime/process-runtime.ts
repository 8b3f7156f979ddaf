import type { Runtime, ServiceSpec } from '@argusai/core';
import { Keepers } from '../system/keepers.js';
import { disturbService } from './disturb.js';
import { execBeside } from './exec.js';
import { inspectServices } from './inspect.js';
import { readLogs } from './logs.js';
import { memoryPeak } from './memory-peak.js';
import { ownListeners } from './own-listeners.js';
import { removeProcesses } from './remove.js';
import { listResources } from './resources.js';
import { startService } from './start.js';
import { stopServices } from './stop.js';
import type { Tools } from './tools.js';
import { watchRun } from './watch.js';

/** The runtime of services that are commands of this machine, and of mocks that are routes. */
export function createProcessRuntime(given: Omit<Tools, 'keepers'>): Runtime {
  const tools = { ...given, keepers: new Keepers(given.clock) };
  return {
    name: 'process',
    runs: isProcess,
    start: (service, spec, context) => startService(tools, service, spec, context),
    exec: (service, command, context) => execBeside(service, command, context),
    stop: (run, services, options) => stopServices(tools, run, services, options),
    disturb: (run, service, how) => disturbService(tools, run, service, how),
    inspect: (run, services, signal) => inspectServices(tools, run, services, signal),
    isOwn: (run, service, listeners) => ownListeners(tools, run, service, listeners),
    memoryPeak: (run, service) => memoryPeak(tools, run, service),
    resources: (query, signal) => listResources(tools, query, signal),
    remove: (resources, options) => removeProcesses(tools, resources, options),
    logs: (run, query, signal) => readLogs(tools, run, query, signal),
    watch: (run, signal) => watchRun(tools, run, signal),
  };
}

function isProcess({ image, build, command, routes }: ServiceSpec): boolean {
  return image === undefined && build === undefined && (command !== undefined || routes !== undefined);
}
