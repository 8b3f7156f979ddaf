import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import { isArgusError } from '../model/argus-error.js';
import { isErrorOf } from '../model/error-code.js';
import type { Json } from '../model/json.js';
import { portConflict } from '../model/start-error-codes.js';
import { buildImages } from './build-images.js';
import { type Claim, claimRun } from './claim-run.js';
import { confirmRunning } from './confirm-running.js';
import { dropOthers } from './drop-services.js';
import { endLeftCommands } from './end-left-commands.js';
import { environmentOf } from './environment-of.js';
import { passGate } from './gate.js';
import { endLeftBuilds } from './left-builds.js';
import { lookAt, runtimeOf } from './look.js';
import { portsNamedBy, requirePorts } from './named-ports.js';
import { requireServices } from './require-services.js';
import { rollBack } from './roll-back.js';
import { endLeftFaults } from './run-faults.js';
import type { RunHolder, RunRecord } from './run-record.js';
import { changeRun, readRun } from './runs.js';
import type { ServiceSpec } from './service-spec.js';
import type { SetupResult } from './setup-result.js';
import type { PortResolution, StageContext } from './stage.js';
import { Stages } from './stages.js';
import { type Started, startServices } from './start-services.js';
import { summarise } from './summarise.js';
import { supersede } from './supersede.js';
import { tellStart } from './tell-start.js';

/** How often a start is tried again because a port was taken between the look and the bind. */
const portAttempts = 5;

/** How an environment is brought up. */
export interface SetupOptions {
  /** Whether images are built first. */
  readonly build: boolean;
  /** For whom: an environment that was not up before ends with the last who holds it. */
  readonly holder?: RunHolder;
  /** Called when the run is this setup's, before anything of it is touched; what it throws fails the setup. */
  readonly onClaim?: (run: RunRecord) => Promise<void>;
}

/**
 * Brings the environment up: the one that is asked for, verified, or an error with everything taken down again that it has
 * started.
 */
export async function setUp(
  kernel: Kernel,
  { build, holder, onClaim }: SetupOptions,
  signal: AbortSignal,
): Promise<SetupResult> {
  const stages = new Stages(kernel);
  const { services } = environmentOf(kernel.config, kernel.project);
  await requireServices(kernel, services);
  tellStart(kernel, services, build);
  const passage = await stages.run('gate', () => passGate(kernel, signal));
  const claim = await claimRun(kernel, holder);
  try {
    await onClaim?.(claim.run);
    await endLeftCommands(kernel, claim.run);
    await endLeftBuilds(kernel);
    const resumed = await endLeftFaults(kernel, claim.run, signal);
    await supersede(kernel, claim.run, services, signal);
    const builds = build
      ? {
          builds: await stages.run('build', () => buildImages(kernel, services, signal), {
            isIdle: ({ size }) => size === 0,
          }),
        }
      : {};
    const dropped = await dropOthers(kernel, claim.run, services, signal);
    const { started, resolution } = await bringUp(kernel, claim, services, builds, stages, signal);
    const parts = new Map<string, Json>(passage.parts);
    const stage = stageOf(kernel, claim, started.services, parts, signal);
    await stages.run('verify', async () => {
      await kernel.hooks.verifyEnvironment.promise(stage);
      const isNow = !isTapped(kernel.hooks.verifyEnvironment);
      await confirmRunning(kernel, stage, isNow ? started.seen : new Map());
    });
    signal.throwIfAborted();
    const changed = { started, dropped, resumed };
    const outcome = { ...passage, ...changed, parts, resolution, stages: stages.durations };
    return await summarise(kernel, claim, outcome);
  } catch (thrown) {
    // Whatever breaks when the work is cancelled breaks because of that.
    throw await rollBack(kernel, claim, services, signal.aborted ? signal.reason : thrown);
  }
}

/** Gives every service its ports and starts them; again with other ports when one turned out to be taken. */
async function bringUp(
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
  for (let attempt = 1; ; attempt++) {
    const stage = stageOf(kernel, claim, services, new Map(), signal);
    const asked: PortResolution = {
      ...{ services, portMappings: [], refused: [...refused], named: portsNamedBy(services) },
      // What looked free before may have gone with the port that was lost.
      ...(attempt === 1 ? {} : { running: await runningOf(kernel, run, services, signal) }),
    };
    const resolution = await stages.run(
      'resolve',
      () => kernel.hooks.resolveEnvironment.promise(asked, stage),
      { isIdle: (resolved) => resolved.services.every(({ ports }) => ports.length === 0) },
    );
    requirePorts(resolution);
    const uses = resolution.services.map((service) => runtimeOf(kernel, service).name);
    await changeRun(kernel.store, run.id, (record) => ({
      ...{ ...record, portMappings: resolution.portMappings },
      runtimes: [...new Set([...(record.runtimes ?? []), ...uses])],
    }));
    const input = { kernel, run: await current(kernel, run), ...builds, signal, ...resolution };
    const isLast = attempt === portAttempts || !mayMove;
    const lost = (thrown: unknown) => (isLast || signal.aborted ? undefined : lostPort(thrown));
    const isLost = (thrown: unknown) => lost(thrown) !== undefined;
    try {
      const started = await stages.run('start', () => startServices(input), { isTriedAgain: isLost });
      return { started, resolution };
    } catch (thrown) {
      const port = lost(thrown);
      if (port === undefined) throw thrown;
      refused.push(port);
    }
  }
}

/** The port that a start could not have, when that is why it failed. */
function lostPort(thrown: unknown): number | undefined {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  return isErrorOf(error, portConflict) ? error.details.port : undefined;
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

function stageOf(
  { project, events, clock }: Kernel,
  { run }: Claim,
  services: readonly ServiceSpec[],
  parts: Map<string, Json>,
  signal: AbortSignal,
): StageContext {
  const report = (part: string, value: Json) => void parts.set(part, value);
  return { run, project, services, events, clock, signal, report };
}

/** The record as it is now: an attempt before this one may have started services. */
async function current(kernel: Kernel, run: Claim['run']): Promise<Claim['run']> {
  return (await readRun(kernel.store, run.id)) ?? run;
}
