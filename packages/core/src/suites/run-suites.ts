import { takeDown } from '../environment/removal/take-down.js';
import { graceAfter, signalToTakeDown } from '../environment/removal/take-down-limits.js';
import type { TakenDown } from '../environment/removal/taken-down.js';
import { letGo, newHolder } from '../environment/runs/holders.js';
import type { RunHolder } from '../environment/runs/run-record.js';
import { readRun } from '../environment/runs/runs.js';
import { environmentOf } from '../environment/services/environment-of.js';
import type { TemplateValues } from '../environment/services/template.js';
import { setUp } from '../environment/setup/set-up.js';
import type { SetupResult } from '../environment/setup/setup-result.js';
import type { Kernel } from '../kernel/kernel.js';
import { thrownAs } from '../model/argus-error.js';
import type { CommandStreams } from '../model/command-streams.js';
import type { StructuredError } from '../model/error-code.js';
import { forgetSolved } from '../recover/forget-solved.js';
import { Boundaries } from './boundaries.js';
import { beginGuarding, unguarded } from './guard-session.js';
import { isRemoved, removedDuring } from './removed.js';
import { exitCodeOf, type RunReport, type SuiteResult, withRestarts } from './run-report.js';
import { runSuite } from './run-suite.js';
import { stopped } from './stopped.js';
import { strangerOfRun } from './stranger-of-run.js';
import { chooseSuites, type SuiteChoice } from './suite.js';
import { valuesOfRun } from './values-of-run.js';

/** What is to be run, and how. */
export interface RunRequest extends SuiteChoice {
  readonly build: boolean;
  /** Leave up what was set up for it. */
  readonly keep: boolean;
  readonly guard: boolean;
}

/**
 * Brings up what is not up, runs the suites one after the other whatever comes of each, guards the services meanwhile, and
 * takes down what was set up for it. What was up before stays up.
 */
export async function runSuites(
  kernel: Kernel,
  { build, keep, guard, ...choice }: RunRequest,
  streams: CommandStreams | undefined,
  signal: AbortSignal,
): Promise<RunReport> {
  const suites = chooseSuites(kernel.config, choice);
  const holder = keep ? undefined : await newHolder();
  const setup = await setUp(kernel, { build, ...(holder ? { holder } : {}) }, signal);
  await forgetSolved(kernel, signal);

  const boundaries = new Boundaries();
  const session = guard ? beginGuarding(kernel, setup.runId, boundaries) : unguarded;
  const results: Omit<SuiteResult, 'restarts'>[] = [];
  const end = async () => {
    const { incidents, problem } = await session.end();
    const takenDown = holder ? await takeDownIfLast(kernel, setup.runId, holder, signal) : null;
    const removedMeanwhile = takenDown === null && (await isRemoved(kernel, setup.runId));
    return { incidents, takenDown, removedMeanwhile, notices: problem ? [problem] : [] };
  };
  let lost = false;
  let stranger: StructuredError | undefined;
  // Told once, however often nobody could look.
  const unlooked = new Map<string, StructuredError>();
  const lookForStranger = async (values: TemplateValues) => {
    const seen = await strangerOfRun(kernel, setup.runId, values, signal);
    for (const error of seen.unlooked) unlooked.set(error.message, error);
    stranger = seen.stranger;
  };
  try {
    await session.begun;
    for (const suite of suites) {
      await session.settled(signal);
      lost = await isRemoved(kernel, setup.runId);
      if (lost || signal.aborted) break;
      const values = await valuesOfRun(kernel, setup.runId, signal);
      await lookForStranger(values);
      if (stranger) break;
      const work = async () => {
        const result = await runSuite(kernel, setup.runId, suite, values, streams, signal);
        if (!signal.aborted) await lookForStranger(values);
        results.push(stranger && result.outcome === 'passed' ? provedNothing(result, stranger) : result);
        // What failed in its last moment failed in it, and the news of that may still be on its way.
        await session.noted(signal);
      };
      await boundaries.during(suite.id, work);
      if (stranger) break;
    }
    lost ||= await isRemoved(kernel, setup.runId);
    if (await stays(kernel, setup, holder)) await session.settled(signal);
  } catch (thrown) {
    await end();
    throw thrown;
  }
  const { notices, ...ended } = await end();
  const reported = withRestarts(results, ended.incidents);
  if (signal.aborted) throw stopped(setup.runId, reported, ended);
  if (stranger && results.length === 0) throw thrownAs(stranger);
  notices.push(...(stranger ? [stranger] : []), ...unlooked.values());
  if (lost) notices.push(removedDuring(kernel, setup.runId, suites, results));
  // What passed without its environment has proved nothing.
  const exitCode = results.map(exitCodeOf).find((code) => code !== 0) ?? (lost || stranger ? 1 : 0);
  const outcome = exitCode === 0 ? 'passed' : 'failed';
  return { outcome, exitCode, suites: reported, setup, ...ended, notices };
}

/** A suite that passed, and nobody knows against whom. */
function provedNothing<Result extends Pick<SuiteResult, 'outcome'>>(
  result: Result,
  { message }: StructuredError,
) {
  return { ...result, outcome: 'failed' as const, problem: message };
}

/** Whether the environment is there for others too, so that whatever is wrong with it is worth mending to the end. */
async function stays({ store }: Kernel, { runId }: SetupResult, holder?: RunHolder): Promise<boolean> {
  const run = await readRun(store, runId);
  return run !== undefined && (!run.holders || run.holders.some(({ id }) => id !== holder?.id));
}

async function takeDownIfLast(
  kernel: Kernel,
  runId: string,
  holder: RunHolder,
  given: AbortSignal,
): Promise<TakenDown | null> {
  const run = await letGo(kernel, runId, holder);
  if (!run) return null;
  const { services } = environmentOf(kernel.config, kernel.project);
  const { signal, release } = signalToTakeDown();
  return takeDown(kernel, run, services, signal, graceAfter(given.reason)).finally(release);
}
