import { runChecks } from '../../check/run-checks.js';
import type { Kernel } from '../../kernel/kernel.js';
import { type ArgusError, thrownAs } from '../../model/argus-error.js';
import type { StructuredError } from '../../model/error-code.js';
import type { HealthReport } from '../../model/health-report.js';
import { type Json, toJson } from '../../model/json.js';

/** What came of the gate: the last report, if checks were made, and what the preparing stage reported. */
export interface Passage {
  readonly preflight?: HealthReport;
  readonly parts: ReadonlyMap<string, Json>;
}

/**
 * Checks the environment, clears what dead runs left behind, and checks again if there was anything. Refuses with the
 * first cause when it is unhealthy all the same; the whole report is in the error's details.
 */
export async function passGate(kernel: Kernel, signal: AbortSignal): Promise<Passage> {
  const { enabled } = kernel.config.resilience.preflight;
  const skip = kernel.checkers
    .values()
    .flatMap(({ name, ofRun, advisory }) => (ofRun || advisory ? [name] : []));
  const parts = new Map<string, Json>();
  const hasChecks = skip.length < kernel.checkers.names().length;
  let preflight = enabled && hasChecks ? await runChecks(kernel, { skip, signal }) : undefined;
  if (!preflight || hasOrphans(preflight)) {
    const { project, events, clock, hooks } = kernel;
    const report = (part: string, value: Json) => void parts.set(part, value);
    await hooks.prepareEnvironment.promise({ project, events, clock, signal, report });
    if (preflight && parts.size > 0) preflight = await runChecks(kernel, { skip, signal });
  }
  const cause = preflight?.overall === 'unhealthy' ? firstCause(preflight) : undefined;
  if (preflight && cause) throw blocked(cause, preflight);
  return { parts, ...(preflight ? { preflight } : {}) };
}

function hasOrphans({ checks }: HealthReport): boolean {
  return checks.some(({ error }) => error?.code === 'ORPHAN_DETECTED');
}

/** The first cause, in the words of all that are of its kind: two taken ports are not to be found one after the other. */
function firstCause({ checks }: HealthReport): StructuredError | undefined {
  const causes = checks.flatMap(({ status, error }) => (status === 'fail' && error ? [error] : []));
  const [first] = causes;
  if (!first) return undefined;
  const messages = causes.flatMap(({ code, message }) => (code === first.code ? [message] : []));
  return { ...first, message: [...new Set(messages)].join('; ') };
}

function blocked(cause: StructuredError, report: HealthReport): ArgusError {
  return thrownAs({ ...cause, details: { ...cause.details, report: toJson(report) } });
}
