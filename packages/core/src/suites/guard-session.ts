import { guardRun } from '../guardian/guard-run.js';
import type { GuardReport } from '../guardian/incidents/incident.js';
import type { SuiteBoundaries } from '../guardian/restart/suite-boundaries.js';
import { Unrest } from '../guardian/restart/unrest.js';
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
  /** Resolves when nothing that fails goes unseen: services are watched by this session, or guarded by somebody else, or cannot be. */
  readonly begun: Promise<void>;
  /** Resolves when no service is being brought back or is yet to be restarted, so that nothing fails only because it comes too early. */
  settled(signal: AbortSignal): Promise<void>;
  /** Resolves when whatever has failed until now will be told, although nothing more may be done about it. */
  noted(signal: AbortSignal): Promise<void>;
  /** Ends it, and tells what happened. */
  end(): Promise<Guarding>;
}

/** When nobody is wanted to guard. */
export const unguarded: GuardSession = {
  begun: Promise.resolve(),
  settled: async () => undefined,
  noted: async () => undefined,
  end: async () => ({ incidents: [] }),
};

/** Begins to guard a run. */
export function beginGuarding(kernel: Kernel, runId: string, suites: SuiteBoundaries): GuardSession {
  const stop = new AbortController();
  const unrest = new Unrest();
  const isTold = firstWord(kernel, runId);
  const guarding: Promise<Guarding> = guardRun(kernel, runId, { signal: stop.signal, suites, unrest }).catch(
    (thrown) => ({
      incidents: [],
      problem: presentError(kernel, toStructuredError(thrown, kernel.clock.now())),
    }),
  );
  return {
    begun: Promise.race([isTold, guarding.then(() => undefined)]),
    settled: (signal) => unrest.settled(signal),
    noted: (signal) => unrest.noted(signal),
    end() {
      stop.abort();
      return guarding;
    },
  };
}

/** Resolves when it is told for the first time who guards a run. */
function firstWord({ events }: Kernel, runId: string): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = events.subscribe(({ type, data }) => {
      if (type !== 'guard_state' || data.runId !== runId) return;
      unsubscribe();
      resolve();
    });
  });
}
