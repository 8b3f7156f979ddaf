import { OwnContext, sharedContext } from '../check/check-context.js';
import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import type { CheckOutcome, HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { checkBroken } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';
import { notJson } from '../model/not-json.js';
import { differenceOf } from './difference.js';
import type { Rule } from './rule.js';
import { createSimulatedClock } from './simulated-clock.js';
import type { Situation } from './situation.js';
import { stopsInTime } from './stops-in-time.js';
import { watchCheckers } from './watch-checkers.js';

/** What every checker must keep to, whatever the state of the world. */
export const checkerRules: readonly Rule<Situation>[] = [
  {
    name: 'gives a result and does not break',
    protects: 'of a check that throws or returns rubbish, users learn nothing but that it is broken',
    async check(situation) {
      const { results } = await runOwn(situation);
      const broken = results.find(
        ({ error }) => isErrorOf(error, checkBroken) && isDefect(error.details.reason),
      );
      return broken && `${broken.name}: ${broken.message}`;
    },
  },
  {
    name: 'says only what JSON can say',
    protects: 'results are printed, stored and sent as JSON; what it cannot say is lost on the way',
    check: (situation) => firstComplaint(situation, (outcome) => notJson(outcome, 'the result')),
  },
  {
    name: 'raises only codes that are declared',
    protects: 'programs act on codes; one that nobody declared has no meaning, no page and no recoverer',
    check: (situation) =>
      firstComplaint(situation, ({ error }, { errorCodes }) =>
        error === undefined || errorCodes.has(error.code)
          ? undefined
          : `raises ${error.code}, which no loaded plugin declares`,
      ),
  },
  {
    name: 'raises only codes that it says it raises',
    protects:
      '`argus explain` and the error pages tell which check raises a code; one that is not listed is found by nobody',
    check: (situation) =>
      firstComplaint(situation, ({ error }, { errorCodes, checkers }, name) => {
        // What nobody declares is for another rule to complain about.
        if (error === undefined || !errorCodes.has(error.code)) return undefined;
        const { codes } = checkers.get(name) ?? {};
        if (codes) {
          const isListed = codes.some(({ code }) => code === error.code);
          return isListed ? undefined : `raises ${error.code}, which is not in its codes`;
        }
        const isOwn = errorCodes.ownerOf(error.code) === situation.plugin;
        return isOwn ? undefined : `raises ${error.code}, which is not its plugin's own, and has no codes`;
      }),
  },
  {
    name: 'gives the details that its codes promise',
    protects: 'programs read details by the shape that the code declares',
    check: (situation) =>
      firstComplaint(situation, ({ error }, { errorCodes }) => {
        const issue =
          error && errorCodes.get(error.code)?.details?.().safeParse(error.details).error?.issues[0];
        return (
          issue &&
          `the details of ${error.code} do not fit at ${issue.path.join('.') || 'the top'}: ${issue.message}`
        );
      }),
  },
  {
    name: 'names every thing that it looks at once',
    protects:
      'a repair is judged, and its budget kept, by the target; two results for one cannot be told apart',
    async check(situation) {
      const { results } = await runOwn(situation);
      const twice = results.find(
        (result, index) => results.findIndex((one) => isSameThing(one, result)) < index,
      );
      return twice && `${twice.name} gives two results for ${twice.target ?? 'one thing, without a target'}`;
    },
  },
  {
    name: 'says the same again while nothing changes, and changes nothing itself',
    protects: 'a repair is proved by checking again, and people check as often as they like',
    async check(situation) {
      const kernel = situation.assemble();
      const before = await situation.look(kernel);
      const difference = differenceOf(before, await situation.look(kernel));
      return (
        difference && `checked twice, nothing done in between, and there is a difference at ${difference}`
      );
    },
  },
  {
    name: 'stops when it is told to',
    protects:
      'Ctrl-C and time limits free nobody from a check that goes on: connections, processes and the shell hang',
    async check(situation) {
      // Time stands still, so whoever waits for the clock and not for the signal is found out.
      const kernel = situation.assemble(createSimulatedClock(Date.now()));
      const complaints = await Promise.all(
        ownCheckers(situation, kernel).map((checker) =>
          complaintIfItGoesOn(kernel, checker, situation.patienceMs),
        ),
      );
      return complaints.find((complaint) => complaint !== undefined);
    },
  },
];

async function complaintIfItGoesOn(
  kernel: Kernel,
  checker: Checker,
  patienceMs: number,
): Promise<string | undefined> {
  for (const when of ['before', 'during'] as const) {
    const hasStopped = await stopsInTime(when, patienceMs, (signal) => {
      const context = new OwnContext(sharedContext(kernel));
      if (signal.aborted) context.abort(signal.reason);
      signal.addEventListener('abort', () => context.abort(signal.reason));
      return checker.check(context);
    });
    const told = when === 'before' ? 'before it began' : 'in the middle of its work';
    if (!hasStopped)
      return `${checker.name} was told to stop ${told} and still went on after ${patienceMs} ms`;
  }
  return undefined;
}

/** Runs the plugin's own checkers, with what they require. */
async function runOwn(situation: Situation) {
  const { kernel, answers } = watchCheckers(situation.assemble());
  if (ownCheckers(situation, kernel).length === 0) return { kernel, results: [], answers: [] };
  const { checks } = await runChecks(kernel, { only: [situation.plugin] });
  const isOwn = (name: string) => kernel.checkers.ownerOf(name) === situation.plugin;
  return {
    kernel,
    results: checks.filter(({ name }) => isOwn(name)),
    answers: answers.filter(({ checker }) => isOwn(checker)),
  };
}

/** The first complaint about any single outcome. Rubbish is for another rule to complain about. */
async function firstComplaint(
  situation: Situation,
  about: (outcome: CheckOutcome, kernel: Kernel, checker: string) => string | undefined,
): Promise<string | undefined> {
  const { kernel, answers } = await runOwn(situation);
  for (const { checker, outcomes } of answers) {
    for (const outcome of outcomes) {
      if (typeof outcome !== 'object' || outcome === null) continue;
      const complaint = about(outcome as CheckOutcome, kernel, checker);
      if (complaint !== undefined) return `${checker}: ${complaint}`;
    }
  }
  return undefined;
}

function ownCheckers({ plugin }: Situation, { checkers }: Kernel): readonly Checker[] {
  return checkers.values().filter(({ name }) => checkers.ownerOf(name) === plugin);
}

/** That a check took too long is the world's fault, not the checker's. */
function isDefect(reason: string): boolean {
  return reason === 'threw' || reason === 'rubbish';
}

function isSameThing(one: HealthCheckResult, other: HealthCheckResult): boolean {
  return one.name === other.name && one.target === other.target;
}
