import type { Plugin } from '../model/plugin.js';
import { checkerTrials } from './checker-contract.js';
import { describeTrials } from './describe-trials.js';
import { pluginRules } from './plugin-rules.js';
import { recovererTrials } from './recoverer-contract.js';
import type { Trial } from './rule.js';
import type { Suite } from './scenario.js';

/** The contract of a plugin, with that of every checker and every recoverer it registers. Call it on a test's first line. */
export function describePlugin(plugin: Plugin, suite: Suite = {}): void {
  describeTrials(`the plugin ${plugin.name}`, trialsOfPlugin(plugin, suite));
}

/** Every rule for a plugin and for what it registers, in every scenario. */
export function trialsOfPlugin(plugin: Plugin, suite: Suite = {}): Trial[] {
  const subject = { plugin, suite };
  const own = pluginRules.map((rule) => ({ rule, run: () => rule.check(subject) }));
  return [...own, ...checkerTrials(subject), ...recovererTrials(subject)];
}
