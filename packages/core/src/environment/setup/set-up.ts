import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import { endLeftCommands } from '../commands/end-left-commands.js';
import { endLeftBuilds } from '../commands/left-builds.js';
import { claimRun } from '../runs/claim-run.js';
import { requireEveryRuntime } from '../runs/require-runtimes.js';
import { endLeftFaults } from '../runs/run-faults.js';
import type { RunHolder, RunRecord } from '../runs/run-record.js';
import { environmentOf } from '../services/environment-of.js';
import { buildImages } from './build-images.js';
import { confirmRunning } from './confirm-running.js';
import { dropOthers } from './drop-services.js';
import { passGate } from './gate.js';
import { requireServices } from './require-services.js';
import { resolveAndStart } from './resolve-and-start.js';
import { rollBack } from './roll-back.js';
import type { SetupResult } from './setup-result.js';
import type { StageContext } from './stage.js';
import { stageOf } from './stage-of.js';
import { Stages } from './stages.js';
import type { Started } from './start-services.js';
import { summarise } from './summarise.js';
import { supersede } from './supersede.js';
import { tellStart } from './tell-start.js';

/** For how long a look is as good as another one, in milliseconds: no longer than a service must have run to count as ready. */
const stillTrueMs = 100;

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
  await kernel.circuits.knock(signal);
  tellStart(kernel, services, build);
  const passage = await stages.run('gate', () => passGate(kernel, signal));
  // Otherwise the checks have seen to it. Of what could not even be begun, nothing is to be left in the records.
  if (!passage.preflight) await requireEveryRuntime(kernel, services, signal);
  const claim = await claimRun(kernel, holder);
  try {
    await onClaim?.(claim.run);
    const resumed = await endWhatIsLeft(kernel, claim.run, signal);
    await supersede(kernel, claim.run, services, signal);
    const isIdle = ({ size }: ReadonlyMap<string, string>) => size === 0;
    const builds = build
      ? { builds: await stages.run('build', () => buildImages(kernel, services, signal), { isIdle }) }
      : {};
    const dropped = await dropOthers(kernel, claim.run, services, signal);
    const { started, resolution } = await resolveAndStart(kernel, claim, services, builds, stages, signal);
    const parts = new Map<string, Json>(passage.parts);
    const stage = stageOf(kernel, claim, started.services, parts, signal);
    await stages.run('verify', () => verify(kernel, stage, started));
    signal.throwIfAborted();
    const changed = { started, dropped, resumed };
    const outcome = { ...passage, ...changed, parts, resolution, stages: stages.durations };
    return await summarise(kernel, claim, outcome);
  } catch (thrown) {
    // Whatever breaks when the work is cancelled breaks because of that.
    throw await rollBack(kernel, claim, services, signal.aborted ? signal.reason : thrown);
  }
}

/** Ends what an argus that was killed had under way here. Gives the services that it had broken on purpose, and that go on. */
async function endWhatIsLeft(kernel: Kernel, run: RunRecord, signal: AbortSignal) {
  await endLeftCommands(kernel, run);
  await endLeftBuilds(kernel);
  return endLeftFaults(kernel, run, signal);
}

/** Has plugins look at what was started, and makes sure that all of it still runs. */
async function verify(kernel: Kernel, stage: StageContext, started: Started): Promise<void> {
  await kernel.hooks.verifyEnvironment.promise(stage);
  await confirmRunning(kernel, stage, started.seenWithin(stillTrueMs));
}
