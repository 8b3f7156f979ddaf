import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Json, JsonObject } from '../model/json.js';
import { createMemoryStore } from '../state/memory-store.js';
import type { Clock } from '../time/clock.js';
import { buildKernel } from './build-kernel.js';
import type { Rule, Trial } from './rule.js';
import type { Loading, Scenario, Subject } from './scenario.js';

const defaultPatienceMs = 2_000;

/** A scenario that has been brought about, with the plugin ready to be loaded into it. */
export interface Situation {
  /** The name of the plugin under test. */
  readonly plugin: string;
  readonly repairedBy?: string;
  readonly patienceMs: number;
  /** Loads the plugin anew, nearly as a new process would: what it keeps in its modules stays. */
  assemble(clock?: Clock): Kernel;
  /** What can be seen of the world: what the checks say of it and what the scenario observes. */
  look(kernel: Kernel): Promise<Json>;
}

/** A trial of a rule in a scenario, which is brought about before and taken away after. */
export function trialIn(scenario: Scenario, subject: Subject, rule: Rule<Situation>): Trial {
  return {
    rule,
    scenario: scenario.name,
    async run() {
      try {
        const added = await scenario.prepare?.();
        return await rule.check(situation(scenario, subject, added ?? {}));
      } finally {
        await scenario.cleanup?.();
      }
    },
  };
}

/** Loads a plugin for a test. */
export function load({ plugin, suite }: Subject, added: Loading & { clock?: Clock } = {}): Kernel {
  const { scenarios: _, patienceMs: __, options, plugins = [], ...rest } = { ...suite, ...added };
  return buildKernel({ ...rest, plugins: [...plugins, [plugin, options]] });
}

function situation(scenario: Scenario, subject: Subject, added: Loading): Situation {
  const { patienceMs = defaultPatienceMs } = subject.suite;
  const store = added.store ?? subject.suite.store ?? createMemoryStore();
  return {
    plugin: subject.plugin.name,
    ...(scenario.repairedBy === undefined ? {} : { repairedBy: scenario.repairedBy }),
    patienceMs,
    assemble: (clock) => load(subject, { ...added, store, ...(clock && { clock }) }),
    async look(kernel) {
      const observed = (await scenario.observe?.()) ?? null;
      return { ...(kernel.checkers.names().length > 0 && (await whatChecksSay(kernel))), observed };
    },
  };
}

/** The results by checker and target, without what differs from run to run: words, figures and times. */
async function whatChecksSay(kernel: Kernel): Promise<JsonObject> {
  const { checks } = await runChecks(kernel);
  return Object.fromEntries(
    checks.map(({ name, target, status, error }) => [
      target === undefined ? name : `${name} (${target})`,
      error === undefined ? status : `${status} ${error.code}`,
    ]),
  );
}
