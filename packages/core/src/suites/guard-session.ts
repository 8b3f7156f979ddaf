import type { ResilienceEvent } from '../events/events.js';
import { guardRun } from '../guardian/guard-run.js';
import type { GuardReport } from '../guardian/incident.js';
import type { SuiteBoundaries } from '../guardian/suite-boundaries.js';
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
  /** Resolves when no service is being brought back, so that nothing fails only because it comes too early. */
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
  const troubled = new Set<string>();
  let wake: () => void = () => undefined;
  const unsubscribe = kernel.events.subscribe((event) => {
    if (note(troubled, event)) wake();
  });
  const guarding: Promise<Guarding> = guardRun(kernel, runId, { signal: stop.signal, suites })
    .catch((thrown) => ({
      incidents: [],
      problem: presentError(kernel, toStructuredError(thrown, kernel.clock.now())),
    }))
    .finally(() => {
      // Nobody brings anything back any more.
      unsubscribe();
      troubled.clear();
      wake();
    });
  return {
    async settled(signal) {
      while (troubled.size > 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    end() {
      stop.abort();
      return guarding;
    },
  };
}

/** Keeps the services that are being brought back; tells whether there is one less. */
function note(troubled: Set<string>, { type, data }: ResilienceEvent): boolean {
  if (type === 'restart_attempt') troubled.add(data.container);
  if (type === 'restart_success' || type === 'restart_exhausted') return troubled.delete(data.container);
  return type === 'incident_end' && troubled.delete(data.service);
}
