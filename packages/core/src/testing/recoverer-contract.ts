import type { Checker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import type { Recoverer } from '../model/recoverer.js';
import { registering } from './build-kernel.js';
import { describeTrials } from './describe-trials.js';
import { recovererRules } from './recoverer-rules.js';
import type { Trial } from './rule.js';
import type { Scenario, Subject, Suite } from './scenario.js';
import { trialIn } from './situation.js';
import { withoutStrangers } from './without-strangers.js';

/** What the suite for a recoverer needs besides the recoverer. */
export interface RecovererSuite extends Omit<Suite, 'options' | 'scenarios'> {
  /** Problems for it to repair. Without one, nothing could be said about it. */
  readonly scenarios: readonly [Scenario, ...Scenario[]];
  /** The checkers of the same plugin that find the problems. Those of others come with `plugins`. */
  readonly checkers?: readonly Checker[];
  /** The codes of the same plugin: those that it handles, unless said otherwise. */
  readonly codes?: readonly ErrorCode[];
}

/** The contract of a recoverer. `describePlugin` tries it on every recoverer that has a scenario. */
export function describeRecoverer(recoverer: Recoverer, suite: RecovererSuite): void {
  describeTrials(`the recoverer ${recoverer.name}`, trialsOfRecoverer(recoverer, suite));
}

/** Every rule for a recoverer, in every scenario. */
export function trialsOfRecoverer(
  recoverer: Recoverer,
  { checkers = [], codes = recoverer.handles, scenarios, ...suite }: RecovererSuite,
): Trial[] {
  const [name = recoverer.name] = recoverer.name.split('.');
  const known = codes.map((code) => withoutStrangers(code, name, [recoverer.name]));
  const plugin = registering(name, { codes: known, checkers, recoverers: [recoverer] });
  const repaired = scenarios.map((scenario) => ({ ...scenario, repairedBy: recoverer.name }));
  return recovererTrials({ plugin, suite: { ...suite, scenarios: repaired } });
}

/** Every rule for the recoverers of a plugin, in every scenario that one of them should repair. */
export function recovererTrials(subject: Subject): Trial[] {
  const scenarios = (subject.suite.scenarios ?? []).filter(({ repairedBy }) => repairedBy !== undefined);
  return scenarios.flatMap((scenario) => recovererRules.map((rule) => trialIn(scenario, subject, rule)));
}
