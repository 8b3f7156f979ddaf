import { setTimeout as delay } from 'node:timers/promises';
import { runChecks } from '../check/run-checks.js';
import { toJson } from '../model/json.js';
import { notJson } from '../model/not-json.js';
import type { FindingReference, PlannedStep } from '../model/recovery-plan.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { resolvedIn, verdictsBetween } from '../recover/verdict.js';
import { systemClock } from '../time/clock.js';
import { differenceOf } from './difference.js';
import { carryOutSteps, openCase, openCaseIn, type RecoveryCase, unsaidBy } from './recovery-case.js';
import type { Rule } from './rule.js';
import { createSimulatedClock } from './simulated-clock.js';
import type { Situation } from './situation.js';
import { stopsInTime } from './stops-in-time.js';

/** What every recoverer must keep to when there is a problem for it to repair. */
export const recovererRules: readonly Rule<Situation>[] = [
  {
    name: 'has a plan for the problem',
    protects: 'a problem whose code says that it can be repaired would stay',
    async check(situation) {
      const { recoverer, findings, steps, obstacle, flaw } = await openCase(situation);
      if (findings.length === 0) return `no check found a problem that ${recoverer.name} handles`;
      // A plan that cannot be used is for the next rule to complain about.
      if (steps.length > 0 || flaw !== undefined) return undefined;
      return obstacle ?? `${recoverer.name} planned nothing`;
    },
  },
  {
    name: 'plans steps that can be shown, stored and counted',
    protects: 'people decide by what a step says of itself, and its budget is kept by its target',
    async check(situation) {
      const { recoverer, steps, flaw } = await openCase(situation);
      if (flaw !== undefined) return flaw;
      const complaint = steps.map(flawOf).find((one) => one !== undefined);
      return complaint && `${recoverer.name}: ${complaint}`;
    },
  },
  {
    name: 'plans the same while nothing changes',
    protects: 'a plan is applied by its hash; one that differs each time can never be applied',
    async check(situation) {
      const first = await openCase(situation);
      // A moment in real time and a second by the kernel's clock, so that a time in the plan shows.
      await delay(5);
      const again = await openCaseIn(first.kernel, first.recoverer.name);
      const later = { ...systemClock, now: () => systemClock.now() + 1000 };
      const elsewhere = await openCase(situation, later);
      const [asked, ...others] = [first, again, elsewhere].map(({ steps }) => toJson(steps));
      const difference = others
        .map((other) => differenceOf(asked, other, 'steps'))
        .find((found) => found !== undefined);
      return (
        difference &&
        `${first.recoverer.name} planned twice, nothing done in between, and there is a difference at ${difference}`
      );
    },
  },
  {
    name: 'changes nothing until it is applied',
    protects: 'people look at a plan, and refuse it, in the belief that nothing has happened yet',
    async check(situation) {
      const kernel = situation.assemble();
      const before = await situation.look(kernel);
      const planned = await openCase(situation);
      for (const step of planned.steps) await evidenceFor(planned, step).catch(() => undefined);
      const difference = differenceOf(before, await situation.look(kernel));
      return (
        difference &&
        `${planned.recoverer.name} only made its plan, and there is a difference at ${difference}`
      );
    },
  },
  {
    name: 'keeps evidence that JSON can say',
    protects:
      'what was there before a repair is gone after it; evidence that cannot be stored is lost for good',
    async check(situation) {
      const planned = await openCase(situation);
      for (const step of planned.steps) {
        const complaint = await evidenceFor(planned, step).then(
          (evidence) => (evidence === undefined ? undefined : notJson(evidence, 'the evidence')),
          (thrown) => `no evidence was kept: ${toStructuredError(thrown).message}`,
        );
        if (complaint !== undefined) return `${planned.recoverer.name}, ${step.target}: ${complaint}`;
      }
      return undefined;
    },
  },
  {
    name: 'says what became of its steps, or nothing at all',
    protects: 'of what cannot be read, users learn only that the recoverer did not say what it did',
    check: async (situation) => unsaidBy(await openCase(situation)),
  },
  {
    name: 'repairs what it planned to repair',
    protects: 'a repair that does not help costs an interruption and a part of the budget for nothing',
    async check(situation) {
      const planned = await openCase(situation);
      const { kernel, recoverer, report, steps } = planned;
      const failure = await carryOutSteps(planned, kernel);
      if (failure !== undefined) return `${recoverer.name} failed: ${failure}`;
      const { checks } = await runChecks(kernel);
      const findings = steps.flatMap((step) => step.findings);
      const verdict = verdictsBetween(report.checks, checks)(findings);
      if (verdict === 'recovered') return undefined;
      const isGone = resolvedIn(checks);
      const left = findings.find((finding) => !isGone(finding));
      return `${recoverer.name} was applied and the verdict is ${verdict}${left ? `: ${nameOf(left)} is still there` : ''}`;
    },
  },
  {
    name: 'does no more when it is applied twice than when it is applied once',
    protects:
      'a repair that was cut short is begun again; what was done already must not be done, or fail, a second time',
    async check(situation) {
      const planned = await openCase(situation);
      const { kernel, recoverer } = planned;
      await carryOutSteps(planned, kernel);
      const once = await situation.look(kernel);
      // Again with the same kernel, then with one made anew, as after a crash.
      for (const next of [kernel, situation.assemble()]) {
        const failure = await carryOutSteps(planned, next);
        if (failure !== undefined) return `${recoverer.name} was applied again and failed: ${failure}`;
        const difference = differenceOf(once, await situation.look(next));
        if (difference)
          return `${recoverer.name} was applied again and there is a difference at ${difference}`;
      }
      return undefined;
    },
  },
  {
    name: 'does nothing that no step says',
    protects:
      'people and the policy may let through some steps and refuse others; what they refused must stay undone',
    async check(situation) {
      const planned = await openCase(situation);
      const { project, clock } = planned.kernel;
      const { signal } = new AbortController();
      const difference = await changeBy(situation, planned, () =>
        // That it refuses is fine too.
        planned.recoverer.apply({ steps: [], signal, project, clock }).catch(() => undefined),
      );
      return (
        difference &&
        `${planned.recoverer.name} was applied without any step and there is a difference at ${difference}`
      );
    },
  },
  {
    name: 'does nothing when it was told to stop before it began',
    protects: 'whoever pressed Ctrl-C in time, or whose time limit was over, is told that nothing was done',
    async check(situation) {
      const planned = await openCase(situation);
      const { recoverer, steps, kernel } = planned;
      const context = { steps, project: kernel.project, clock: createSimulatedClock(Date.now()) };
      // One that does not end is another rule's affair.
      const difference = await changeBy(situation, planned, () =>
        stopsInTime('before', situation.patienceMs, (signal) => recoverer.apply({ ...context, signal })),
      );
      return (
        difference &&
        `${recoverer.name} was told to stop before it was applied and there is a difference at ${difference}`
      );
    },
  },
  {
    name: 'stops planning and repairing when it is told to',
    protects:
      'Ctrl-C and time limits free nobody from a repair that goes on: it works on unseen, and the shell hangs',
    async check(situation) {
      const { recoverer, findings, steps, kernel } = await openCase(situation);
      // Time stands still, so whoever waits for the clock and not for the signal is found out.
      const context = { findings, project: kernel.project, clock: createSimulatedClock(Date.now()) };
      const works: Record<string, (signal: AbortSignal) => unknown> = {
        plan: (signal) => recoverer.plan({ ...context, signal }),
        evidence: (signal) =>
          Promise.all(steps.map((step) => recoverer.evidence?.(step, { ...context, signal }))),
        apply: (signal) => recoverer.apply({ ...context, steps, signal }),
      };
      for (const [part, work] of Object.entries(works)) {
        for (const when of ['during', 'before'] as const) {
          if (await stopsInTime(when, situation.patienceMs, work)) continue;
          return `${recoverer.name} was told to stop and its ${part} still went on after ${situation.patienceMs} ms`;
        }
      }
      return undefined;
    },
  },
];

/** Where the world is another one after some work, seen by the checkers and by what the scenario observes. */
async function changeBy(
  situation: Situation,
  { kernel }: RecoveryCase,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  const before = await situation.look(kernel);
  await work();
  return differenceOf(before, await situation.look(kernel));
}

async function evidenceFor(
  { kernel, recoverer, findings }: RecoveryCase,
  step: PlannedStep,
): Promise<unknown> {
  const { project, clock } = kernel;
  return recoverer.evidence?.(step, { findings, signal: new AbortController().signal, project, clock });
}

const kindAndIdentity = /^[a-z][a-z0-9-]*:./;

/** What is wrong with a step as it was planned. */
function flawOf(step: PlannedStep): string | undefined {
  const { target, action, description, findings, resolves } = step;
  if (!kindAndIdentity.test(target))
    return `the target ${JSON.stringify(target)} is not <kind>:<identity>, such as service:api`;
  if (!action || !description) return `the step for ${target} does not say what it does`;
  if (findings.length === 0)
    return `the step for ${target} resolves ${JSON.stringify(resolves)}, which nobody found`;
  return undefined;
}

function nameOf({ check, target, code }: FindingReference): string {
  return `${code} of ${check}${target === undefined ? '' : ` (${target})`}`;
}
