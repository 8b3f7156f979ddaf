import {
  blindnessOf,
  type CheckContext,
  type Checker,
  type CheckOutcome,
  containerCrash,
  defineChecker,
  expectServices,
  goneService,
  type HealthParts,
  healthCheckTimeout,
  type MissedService,
  portConflict,
  runsUp,
  type StateStore,
  type TriedHealth,
  triedWithinMs,
  tryHealthOfRuns,
  whyNothingUp,
} from '@argusai/core';
import { processCrashLoop, processUnkept } from '../error-codes.js';
import { ownEnds } from '../records/own-ends.js';
import type { ProcessRecord } from '../records/process-record.js';
import type { End, ProcessRecords } from '../records/process-records.js';
import { isPaused, isRunning, look, type Sighting } from '../records/sighting.js';
import { endOf } from '../runtime/inspect.js';
import { OutputReader } from '../runtime/output-reader.js';

const shownLines = 20;

/** What is called a crash loop. */
export interface CrashLoopLimits {
  readonly crashes: number;
  readonly windowMs: number;
}

/** What the checker works with. */
export interface ServicesParts extends Omit<HealthParts, 'project'> {
  readonly records: ProcessRecords;
  readonly store: StateStore;
}

/** Looks at the processes of the environment that is up in the folder of the project. */
export function servicesChecker(parts: ServicesParts, limits: CrashLoopLimits): Checker {
  const { records, store } = parts;
  return defineChecker({
    name: 'process.services',
    description:
      'Whether the services of this project that are processes run, are well by their health checks, and are kept.',
    codes: [containerCrash, healthCheckTimeout, portConflict, processCrashLoop, processUnkept],
    ofRun: true,
    timeoutMs: triedWithinMs,
    async check(context) {
      const { project, skip, unknown, signal, clock } = context;
      const missedBeside = await expectServices(parts, project, 'process');
      const up = await runsUp({ store, clock }, project.name);
      const all = await records.list({ project: project.name });
      // What another folder or an earlier run has started is for others to judge.
      const own = all.filter(({ worktree, runId }) => worktree === project.dir && up.has(runId));
      const sightings = await Promise.all(newestOfEach(own).map(look));
      const seen = sightings.filter(({ isHere, state }) => isHere && state);
      // Nobody can see from here what another machine has.
      const there = sightings.filter(({ isHere, state }) => !isHere || state);
      const missed = await missedBeside(there.map(({ record }) => record.service));
      signal.throwIfAborted();
      if (seen.length + missed.length === 0) {
        const blindness = blindnessOf(store);
        return blindness
          ? unknown(`Nobody knows what runs here: ${blindness.message}`)
          : skip(await whyNothingUp(parts, project, 'No run of this project is up with processes'));
      }
      const runs = seen.map(({ record }) => record.runId);
      const healthOf = await tryHealthOfRuns({ ...parts, project }, runs, 'process', signal);
      signal.throwIfAborted();
      const earlier = await records.earlierEnds(project.name, project.dir);
      const judged = await Promise.all(
        seen.map((sighting) => {
          const { runId, service } = sighting.record;
          const ends = eachOnce([...earlier.filter((end) => end.service === service), ...ownEnds(sighting)]);
          return judge(sighting, ends, healthOf(runId, service), limits, context);
        }),
      );
      return [...judged, ...missed.map((one) => gone(one, clock.now()))];
    },
  });
}

function gone(missed: MissedService, now: number): CheckOutcome {
  const error = goneService(missed, 'what is kept of its process is gone', now);
  const { message, details } = error;
  return { status: 'fail', target: missed.service, message, details, error };
}

/** Records come in the order of time, so that of two with the same name the later one stays. */
function newestOfEach(records: readonly ProcessRecord[]): ProcessRecord[] {
  return [...new Map(records.map((record) => [record.service, record])).values()];
}

/** Ends are noted before a record is removed, so that a removal that fails, or two at once, note the same ends again. */
function eachOnce(ends: readonly End[]): End[] {
  return [...new Map(ends.map((end) => [end.at, end])).values()];
}

async function judge(
  sighting: Sighting,
  ends: readonly End[],
  health: TriedHealth | undefined,
  { crashes, windowMs }: CrashLoopLimits,
  { pass, warn, fail, unknown, clock }: CheckContext,
): Promise<CheckOutcome> {
  const { record, state, keeperLives } = sighting;
  const { service: target, runId } = record;
  const subject = { service: target, runId };
  const recent = ends.filter(({ at }) => at > clock.now() - windowMs);
  if (recent.length >= crashes) {
    const exitCodes = recent.map(({ exitCode }) => exitCode);
    const details = { ...subject, exits: recent.length, windowMs, exitCodes, lines: await lastLines(record) };
    const message = `${target} ended ${recent.length} times in ${Math.round(windowMs / 1_000)} s`;
    return fail(processCrashLoop, { target, message, details });
  }
  if (isPaused(sighting)) {
    const check = 'the system says that it was stopped';
    const said = { service: target, reason: 'paused' as const, check, tries: 1, outputs: [] };
    const details = { ...said, lines: await lastLines(record) };
    return fail(healthCheckTimeout, { target, message: `${target} hangs: it is paused`, details });
  }
  if (health?.unknown && isRunning(sighting))
    return unknown(`${target} runs, and could not be asked how it is: ${health.unknown.message}`, { target });
  if (health?.conflict && isRunning(sighting)) {
    const { message, details } = health.conflict;
    return { status: 'fail', target, message, details, error: health.conflict };
  }
  if (health?.healthy === false && isRunning(sighting)) {
    const { check, output } = health;
    const details = { service: target, check, tries: 1, outputs: [output], lines: await lastLines(record) };
    return fail(healthCheckTimeout, { target, message: `${target} is not well: ${output}`, details });
  }
  if (isRunning(sighting)) {
    const pid = state?.child?.pid ?? 0;
    const isWell = health ? ' and is well' : '';
    if (keeperLives) return pass(`${target} runs${isWell}`, { target, details: { runId, pid } });
    const message = `${target} runs as process ${pid}, but its keeper is gone`;
    return warn(processUnkept, {
      target,
      message,
      details: { ...subject, pid, keeperPid: state?.keeper.pid ?? 0 },
    });
  }
  const end = endOf(sighting);
  if (record.oneShot && end?.exitCode === 0)
    return pass(`${target} has done its work`, { target, details: { runId } });
  const how = end === undefined ? 'nobody saw how' : `with ${end.signal ?? `exit code ${end.exitCode}`}`;
  const details = {
    ...subject,
    status: 'exited',
    exitCode: end?.exitCode ?? null,
    finishedAt: end?.at ?? null,
    ...(end?.signal ? { signal: end.signal } : {}),
    lines: await lastLines(record),
  };
  return fail(containerCrash, { target, message: `${target} has ended, ${how}`, details });
}

async function lastLines({ dir, service }: ProcessRecord): Promise<string[]> {
  const reader = new OutputReader(dir, service);
  try {
    await reader.skipToLast(shownLines);
    const lines: string[] = [];
    for await (const { text } of reader.read({ unended: true })) lines.push(text);
    return lines.slice(-shownLines);
  } finally {
    await reader.close();
  }
}
