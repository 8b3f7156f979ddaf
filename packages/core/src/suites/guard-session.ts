import { guardRun } from '../guardian/guard-run.js';
import type { GuardReport } from '../guardian/incident.js';
import type { SuiteBoundaries } from '../guardian/suite-boundaries.js';
import { Unrest } from '../guardian/unrest.js';
import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import type { StructuredError } from '../model/error-code.js';
import { toStructuredError } from '../model/to-structured-error.js';

/** What guarding has come to; a guardian that broke must not cost the results of the tests. */
export interface Guarding extends GuardReport {
  readonly problem?: StructuredError;
}

/** Somebody who guards a run while its tests run. */
export interface GuardSession {
  /** Resolves when no service is being brought back or is yet to be restarted, so that nothing fails only because it comes too early. */
  settled(signal: AbortSignal): Promise<void>;
  /** Ends it, and tells what happened. */
  end(): Promise<Guarding>;
}

/** When nobody is wanted to guard. */
export const unguarded: GuardSession = {
  settled: async () => undefined,
  end: async () => ({ incidents: [] }),
};

/** Begins to guard a run. */
export function beginGuarding(kernel: Kernel, runId: string, suites: SuiteBoundaries): GuardSession {
  const stop = new AbortController();
  const unrest = new Unrest();
  const guarding: Promise<Guarding> = guardRun(kernel, runId, { signal: stop.signal, suites, unrest }).catch(
    (thrown) => ({
      incidents: [],
      problem: presentError(kernel, toStructuredError(thrown, kernel.clock.now())),
    }),
  );
  return {
    settled: (signal) => unrest.settled(signal),
    end() {
      stop.abort();
      return guarding;
    },
  };
}
