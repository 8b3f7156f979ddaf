import type { Kernel } from '../../kernel/kernel.js';
import { isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { portConflict } from '../../model/start-error-codes.js';
import { lookAt } from '../looks/look-at.js';
import { refuseSpeltOut, speltOutIn } from '../ports/refuse-spelt-out.js';
import type { Claim } from '../runs/claim-run.js';
import { changeRun, readRun } from '../runs/runs.js';
import { portsNamedBy, requirePorts } from '../services/named-ports.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { nameHolder } from './name-holder.js';
import type { PortResolution } from './stage.js';
import { stageOf } from './stage-of.js';
import type { Stages } from './stages.js';
import { type Started, startServices } from './start-services.js';
import { StartedAnew } from './started-anew.js';

/** How often a start is tried again because a port was taken between the look and the bind. */
const portAttempts = 5;

/** Gives every service its ports and starts them; again with other ports when one turned out to be taken. */
export async function resolveAndStart(
  kernel: Kernel,
  claim: Claim,
  services: readonly ServiceSpec[],
  builds: { readonly builds?: ReadonlyMap<string, string> },
  stages: Stages,
  signal: AbortSignal,
): Promise<{ started: Started; resolution: PortResolution }> {
  const { run } = claim;
  const mayMove = kernel.config.resilience.network.portConflictStrategy === 'auto';
  const refused: number[] = [];
  const anew = new StartedAnew();
  for (let attempt = 1; ; attempt++) {
    const stage = stageOf(kernel, claim, services, new Map(), signal);
    const asked: PortResolution = {
      services,
      portMappings: [],
      refused: [...refused],
      named: portsNamedBy(services),
      // What looked free before may have gone with the port that was lost.
      ...(attempt === 1 ? {} : { running: await runningOf(kernel, run, services, signal) }),
    };
    const resolution = await stages.run(
      'resolve',
      () => kernel.hooks.resolveEnvironment.promise(asked, stage),
      { isIdle: (resolved) => resolved.services.every(({ ports }) => ports.length === 0) },
    );
    requirePorts(resolution);
    refuseSpeltOut(speltOutIn(resolution.services, resolution.portMappings));
    const uses = resolution.services.map((service) => runtimeOf(kernel, service).name);
    await changeRun(kernel.store, run.id, (record) => ({
      ...record,
      portMappings: resolution.portMappings,
      runtimes: [...new Set([...(record.runtimes ?? []), ...uses])],
    }));
    const input = { kernel, run: await current(kernel, run), ...builds, anew, signal, ...resolution };
    const isLast = attempt === portAttempts || !mayMove;
    const lost = (thrown: unknown) =>
      isLast || signal.aborted ? undefined : lostPort(thrown, resolution.services);
    const isLost = (thrown: unknown) => lost(thrown) !== undefined;
    try {
      const started = await stages.run('start', () => startServices(input), { isTriedAgain: isLost });
      return { started, resolution };
    } catch (thrown) {
      const port = lost(thrown);
      if (port === undefined)
        throw await nameHolder(thrown, { services: resolution.services, mayMove }, signal);
      refused.push(port);
    }
  }
}

/** The port that a start could not have, when that is why it failed and another one will do. */
function lostPort(thrown: unknown, services: readonly ServiceSpec[]): number | undefined {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  if (!isErrorOf(error, portConflict) || error.details.reason === 'spelt-out') return undefined;
  const { port } = error.details;
  return services.some(({ askedAt }) => askedAt?.host === port) ? undefined : port;
}

/** The services that run. */
async function runningOf(
  kernel: Kernel,
  run: Claim['run'],
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<string[]> {
  const states = await lookAt(kernel, run, services, signal);
  return [...states.values()].filter(({ status }) => status === 'running').map(({ service }) => service);
}

/** The record as it is now: an attempt before this one may have started services. */
async function current(kernel: Kernel, run: Claim['run']): Promise<Claim['run']> {
  return (await readRun(kernel.store, run.id)) ?? run;
}
