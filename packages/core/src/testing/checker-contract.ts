import type { Checker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import { registering } from './build-kernel.js';
import { checkerRules } from './checker-rules.js';
import { describeTrials } from './describe-trials.js';
import type { Trial } from './rule.js';
import { asThingsAre, type Subject, type Suite } from './scenario.js';
import { trialIn } from './situation.js';
import { withoutStrangers } from './without-strangers.js';

/** What the suite for a checker needs besides the checker. */
export interface CheckerSuite extends Omit<Suite, 'options'> {
  /** The codes that it raises. */
  readonly codes?: readonly ErrorCode[];
  /** Checkers of the same plugin that it requires. */
  readonly requires?: readonly Checker[];
}

/** The contract of a checker. `describePlugin` tries it on every checker of a plugin. */
export function describeChecker(checker: Checker, suite: CheckerSuite = {}): void {
  describeTrials(`the checker ${checker.name}`, trialsOfChecker(checker, suite));
}

/** Every rule for a checker, in every scenario. */
export function trialsOfChecker(
  checker: Checker,
  { codes = [], requires = [], ...suite }: CheckerSuite = {},
): Trial[] {
  const [name = checker.name] = checker.name.split('.');
  const known = codes.map((code) => withoutStrangers(code, name));
  return checkerTrials({
    plugin: registering(name, { codes: known, checkers: [...requires, checker] }),
    suite,
  });
}

/** Every rule for the checkers of a plugin, in every scenario. */
export function checkerTrials(subject: Subject): Trial[] {
  const scenarios = [asThingsAre, ...(subject.suite.scenarios ?? [])];
  return scenarios.flatMap((scenario) => checkerRules.map((rule) => trialIn(scenario, subject, rule)));
}
