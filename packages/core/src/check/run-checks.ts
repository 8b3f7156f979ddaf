import { changesToGlobals } from '../config/intact-globals.js';
import { callTap, type Tap, tapName } from '../hooks/call-tap.js';
import type { Kernel } from '../kernel/kernel.js';
import { locate } from '../kernel/locate.js';
import { presentError } from '../kernel/present.js';
import type { HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { placeIn } from '../model/config-place.js';
import { pluginInvalid } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { type HealthReport, overallOf } from '../model/health-report.js';
import { type JsonObject, toJson } from '../model/json.js';
import { isBundled } from '../model/plugin.js';
import { property } from '../model/property.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { never } from '../time/never.js';
import { withTimeLimit } from '../time/time-limit.js';
import type { CheckOptions } from './check-options.js';
import { CheckRun } from './check-run.js';
import { selectCheckers } from './select-checkers.js';

/** How long a plugin may take to add to a report, in milliseconds. */
const hookMs = 5_000;

/** Runs the checks and reports what they found. A check that breaks costs its own result and nothing else. */
export async function runChecks(kernel: Kernel, options: CheckOptions = {}): Promise<HealthReport> {
  const { clock, events, project } = kernel;
  const selected = selectCheckers(kernel, options);
  const timestamp = clock.now();
  const started = clock.monotonic();
  events.emit('preflight_start', { project: project.name, checks: selected.map(({ name }) => name) });

  const run = new CheckRun(kernel, selected, options);
  const checks = await Promise.all((await run.results()).map((result) => withPlace(kernel, result)));

  const changed = [...new Set([...run.changed, ...changesToGlobals()])];
  if (changed.length > 0) run.notices.push(changedWhileChecking(kernel, selected, changed));
  const duration = clock.monotonic() - started;
  const overall = overallOf(checks);
  events.emit('preflight_end', { overall, duration });
  const notices = run.notices.map((notice) => presentError(kernel, notice));
  return withAdditions(kernel, {
    project: project.name,
    overall,
    checks,
    timestamp,
    duration,
    notices,
    additions: {},
  });
}

/** A result whose problem says where in the configuration its cause is. */
async function withPlace(kernel: Kernel, result: HealthCheckResult): Promise<HealthCheckResult> {
  if (!result.error || placeIn(result.error.details) === undefined) return result;
  const error = await locate(kernel, result.error);
  return { ...result, message: error.message, error };
}

/** Says who may have changed what everybody uses while the checks ran. It was put back, so that the rest can be told. */
function changedWhileChecking(
  { checkers, plugins, clock }: Kernel,
  selected: readonly Checker[],
  changed: readonly string[],
): StructuredError {
  const owners = new Set(selected.map(({ name }) => checkers.ownerOf(name)));
  const foreign = plugins.filter((one) => !isBundled(one)).map((one) => one.plugin.name);
  const checking = foreign.filter((name) => owners.has(name));
  // One that only listens, or has a timer, does so without a check; and a project that was opened before may have left one.
  const plugin = (checking.length > 0 ? checking : foreign).join(' or ');
  const who = plugin === '' ? 'A plugin' : `Plugin ${plugin}`;
  const problem = `changes ${changed.join(', ')} while it checks, which everything in the process uses`;
  const occurrence = { message: `${who}: ${problem}`, details: { plugin, problems: [problem] } };
  return structuredError(pluginInvalid, occurrence, clock.now());
}

/** Lets plugins add to the report. One that breaks, or forgets to hand the report on, takes nothing away from it. */
async function withAdditions(kernel: Kernel, report: HealthReport): Promise<HealthReport> {
  let whole = report;
  for (const tap of kernel.hooks.report.taps) {
    try {
      whole = { ...whole, additions: await additionsOf(kernel, tap, whole) };
    } catch (thrown) {
      const notice = presentError(kernel, toStructuredError(thrown, kernel.clock.now()));
      whole = { ...whole, notices: [...whole.notices, notice] };
    }
  }
  return whole;
}

async function additionsOf(kernel: Kernel, tap: Tap, report: HealthReport): Promise<JsonObject> {
  const { clock, redactor } = kernel;
  const name = tapName('report', tap);
  const added = await withTimeLimit(clock, hookMs, never(), `${name} gave nothing`, async () =>
    callTap('report', tap, structuredClone(report), clock),
  );
  // As tapable has it: who returns nothing hands on what there was.
  if (added === undefined) return report.additions;
  const additions = toJson(property(added, 'additions'));
  if (typeof additions === 'object' && additions !== null && !Array.isArray(additions)) {
    return redactor.redact(additions);
  }
  throw new TypeError(`${name} handed on something that is no report`);
}
