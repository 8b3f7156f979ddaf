import type { Kernel } from '../../kernel/kernel.js';
import { blindnessOf } from '../../state/blindness.js';
import { isContainer } from '../is-container.js';
import { lookAtRecorded, type Sight } from '../looks/look-recorded.js';
import { livenessOf, type OwnerLookup, ownerLookup } from '../ownership/liveness.js';
import { currentRun } from '../runs/claim-run.js';
import { type FoundRun, isConfigured } from '../runs/find-run.js';
import { lostHere, type Unlooked } from '../runs/lost-here.js';
import type { RunRecord } from '../runs/run-record.js';
import { runsIn, runsOf } from '../runs/runs.js';
import { asStarted } from '../services/as-started.js';
import { environmentOf } from '../services/environment-of.js';
import { describeOthers, describeRecorded } from './describe-recorded.js';
import { describeService, describeWithoutRun } from './describe-service.js';
import { type LostService, lookAtLost } from './lost-services.js';

/**
 * How the environment of a project's folder is. What could not be looked at is `unknown`, also where no run is recorded and a
 * runtime is `unlooked`.
 */
export async function statusOf(
  kernel: Kernel,
  host: string,
  signal: AbortSignal,
  chosen?: FoundRun,
  unlooked: readonly Unlooked[] = [],
) {
  const { store, project, clock, circuits, config } = kernel;
  const now = clock.now();
  const lookUp = ownerLookup(host);
  const run = chosen ? (chosen.lost ? undefined : chosen.run) : await currentRun(kernel);
  const isKnown = run ? isConfigured(kernel, run) : true;
  const configured = isKnown ? environmentOf(config, project).services : [];
  const sights = run ? await lookAtRecorded(kernel, run, signal) : new Map<string, Sight>();
  const services = run ? asStarted(configured, run, sights) : configured;
  const lost = chosen ? { resources: chosen.lost ?? [], unlooked: [] } : await lostHere(kernel, signal);
  const lostServices = run ? new Map<string, LostService>() : await lookAtLost(kernel, lost, signal);
  // A runtime that was told to stop has not failed to answer.
  signal.throwIfAborted();
  const blindness = run ? undefined : blindnessOf(store);
  const unrecorded = run ? undefined : (blindness ?? kernel.configProblem)?.message;
  const others = await otherRuns(kernel, run);
  // A circuit that is closed says something only where something is asked through it.
  const hasContainers = services.some(isContainer) || lost.resources.some(({ type }) => type !== 'process');
  return {
    project: run?.project ?? project.name,
    run: run ? { ...describeRun(run, now), ...(await lifeOf(run, now, lookUp)) } : null,
    services: [
      ...(await Promise.all(
        services.map((service) =>
          run
            ? describeService(kernel, service, run, sights, signal)
            : describeWithoutRun(
                kernel,
                service,
                [...lost.unlooked, ...unlooked],
                lostServices.get(service.name),
                unrecorded,
              ),
        ),
      )),
      ...(run && isKnown ? describeOthers(run, configured, sights) : []),
      ...(run && !isKnown ? describeRecorded(kernel, run, sights) : []),
    ],
    otherRuns: await Promise.all(
      others.map(async (other) => {
        const { alive } = await livenessOf(other, now, lookUp);
        const { id, project: name, worktree, state } = other;
        return { id, project: name, worktree, state, alive };
      }),
    ),
    lost,
    ...(unrecorded === undefined ? {} : { unrecorded }),
    ...(kernel.configProblem ? { configBroken: true } : {}),
    circuits: (await circuits.states())
      .filter(({ state }) => hasContainers || state !== 'closed')
      // What a store that cannot be used does not know of is not therefore well.
      .filter(({ state, failureCount }) => !blindness || state !== 'closed' || failureCount > 0)
      .map(({ failureHistory: _, ...state }) => ({
        ...state,
        sinceTransition:
          state.lastStateTransition === null ? null : Math.max(0, now - state.lastStateTransition),
      })),
  };
}

/** The other runs of the project, and what was set up in this folder under another name. */
async function otherRuns({ store, project }: Kernel, run: RunRecord | undefined): Promise<RunRecord[]> {
  const others = [...(await runsIn(store, project.dir)), ...(await runsOf(store, project.name))];
  const known = new Map(others.map((one) => [one.id, one]));
  known.delete(run?.id ?? '');
  return [...known.values()].sort((one, other) => one.createdAt - other.createdAt);
}

function describeRun({ id, state, owner, createdAt, leaseUntil }: RunRecord, now: number) {
  const leaseMs = Math.max(0, leaseUntil - now);
  return { id, state, owner: `${owner.host}/${owner.pid}`, createdAt, leaseUntil, leaseMs };
}

/** Whether a run goes on; why not, by the process that is gone where it is one. */
async function lifeOf(run: RunRecord, now: number, lookUp: OwnerLookup) {
  const { alive } = await livenessOf(run, now, lookUp);
  if (alive) return { alive };
  const { state, owner, holders = [] } = run;
  if (state !== 'up') {
    const isDead = (await lookUp(owner)) === 'dead';
    if (isDead) return { alive, why: `its argus, process ${owner.pid}, died while ${state}` };
    return {
      alive,
      why: state === 'stopping' ? 'it was not taken down completely' : 'its setup did not end',
    };
  }
  const left = await Promise.all(holders.map(lookUp));
  if (holders.length === 0 || left.includes('unknown')) return { alive, why: 'its lease ran out' };
  const pids = holders.map(({ pid }) => `process ${pid}`).join(', ');
  return { alive, why: `its argus, ${pids}, is gone` };
}
