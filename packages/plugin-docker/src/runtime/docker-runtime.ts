import type { Runtime } from '@argusai/core';
import { buildImage } from './build-image.js';
import { disturbService } from './disturb-service.js';
import type { DockerParts } from './docker-parts.js';
import { EndedContainers } from './ended-containers.js';
import { execInService, execWords } from './exec-in-service.js';
import { inspectServices } from './inspect-services.js';
import { listResources, runtimeName } from './list-resources.js';
import { memoryPeak } from './memory-peak.js';
import { containerName } from './names.js';
import { ownListeners } from './own-listeners.js';
import { prepareRun } from './prepare-run.js';
import { readLogs } from './read-logs.js';
import { ReadyStarts } from './ready-starts.js';
import { removeResources } from './remove-resources.js';
import { runsInContainer } from './runs-in-container.js';
import { startService } from './start-service.js';
import { stopServices } from './stop-services.js';
import { watchRun } from './watch-run.js';
import { createWayOut } from './way-out.js';

/** Makes the runtime that runs services with an `image` or a `build` as containers. */
export function createDockerRuntime(parts: DockerParts): Runtime {
  const { client } = parts;
  const ended = new EndedContainers();
  const ready = new ReadyStarts(parts);
  const wayOut = createWayOut(client);
  const starting = { ...parts, wayOut, ended, ready };
  return {
    name: runtimeName,
    keepsLines: true,
    runs: runsInContainer,
    async prepare(context) {
      await prepareRun(parts, context);
      wayOut.forget(context.run);
    },
    gateways: (run, signal) => wayOut.gateways(run, signal),
    build: (service, context) => buildImage(parts, service, context),
    start: (service, spec, context) => startService(starting, service, spec, context),
    exec: (service, command, context) => execInService(client, service, command, context),
    endsWell: (service, command, { run, signal }) =>
      client.endsWell(containerName(run, service.name), execWords(command), signal),
    stop: (run, services, options) => stopServices(client, run, services, options),
    disturb: (run, service, how, signal) => disturbService(client, run, service, how, signal),
    answers: (signal) => client.answers(signal),
    async inspect(run, services, signal) {
      const states = await inspectServices(client, run, services, signal);
      ended.note(run, states);
      return states;
    },
    isOwn: (run, service, listeners, signal) => ownListeners(client, wayOut, run, service, listeners, signal),
    memoryPeak: (run, service, signal) => memoryPeak(client, run, service, signal),
    resources: (query, signal) => listResources(client, query, signal),
    remove: (resources, options) => removeResources(parts, resources, options),
    logs: (run, query, signal) => readLogs(parts, run, query, signal),
    watch: (run, signal) => ready.during(ended.hear(run, watchRun(parts, run, signal)), signal),
  };
}
