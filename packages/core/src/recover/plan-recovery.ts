import type { CheckOptions } from '../check/check-options.js';
import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import { placeIn } from '../model/config-place.js';
import type { StructuredError } from '../model/error-code.js';
import { groupBy } from '../model/group-by.js';
import type { HealthReport } from '../model/health-report.js';
import type { Finding, Recoverer, RecoveryStep } from '../model/recoverer.js';
import type {
  FindingReference,
  PlannedStep,
  RecoveryPlan,
  UnhandledFinding,
} from '../model/recovery-plan.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { withTimeLimit } from '../time/time-limit.js';
import { brokenRecoverer, pluginOf, thrownWhilePlanning } from './broken-recoverer.js';
import { findingsOf, handledBy, referenceTo } from './findings.js';
import { hashOf } from './plan-hash.js';
import { readPlan } from './read-plan.js';

/** How long one recoverer may take to make its plan, in milliseconds. */
const planTimeoutMs = 30_000;

/** Checks, and says exactly what the loaded recoverers would do about what was found. Changes nothing. */
export async function planRecovery(kernel: Kernel, options: CheckOptions = {}): Promise<RecoveryPlan> {
  return planFor(kernel, await runChecks(kernel, options), options.signal);
}

/** Says exactly what the loaded recoverers would do about a report. */
export async function planFor(
  kernel: Kernel,
  report: HealthReport,
  signal: AbortSignal = new AbortController().signal,
): Promise<RecoveryPlan> {
  const findings = findingsOf(report);
  const notices: StructuredError[] = [];
  const steps: PlannedStep[] = [];
  for (const recoverer of inOrderOfSuggestion(kernel.recoverers.values(), findings)) {
    const handled = findings.filter((finding) => handledBy(recoverer, finding));
    const planned = await stepsOf(kernel, recoverer, handled, signal);
    if (Array.isArray(planned)) steps.push(...planned);
    else notices.push(planned);
  }
  return {
    project: kernel.project.name,
    hash: hashOf(kernel.project.name, steps),
    steps,
    unhandled: unhandledBy(steps, findings),
    notices,
  };
}

/** The recoverers that have something to do; the one that the problem's code suggests first comes first. */
function inOrderOfSuggestion(recoverers: readonly Recoverer[], findings: readonly Finding[]): Recoverer[] {
  const suggested = findings.flatMap(({ error }) => error.suggestedActions);
  const rank = ({ name }: Recoverer) => {
    const place = suggested.indexOf(name);
    return place < 0 ? suggested.length : place;
  };
  return recoverers
    .filter((recoverer) => findings.some((finding) => handledBy(recoverer, finding)))
    .sort((one, other) => rank(one) - rank(other));
}

/** The steps of one recoverer, or why it has none that can be used. */
async function stepsOf(
  kernel: Kernel,
  recoverer: Recoverer,
  findings: readonly Finding[],
  signal: AbortSignal,
): Promise<PlannedStep[] | StructuredError> {
  const { clock, project } = kernel;
  // A copy, because what one recoverer does to it is no business of the others and of the report.
  const context = { findings: structuredClone(findings), project, clock };
  let planned: { readonly returned: unknown } | { readonly thrown: unknown };
  try {
    planned = await withTimeLimit(
      clock,
      planTimeoutMs,
      signal,
      `${recoverer.name} made no plan`,
      async (limited) => {
        try {
          return { returned: await recoverer.plan({ ...context, signal: limited }) };
        } catch (thrown) {
          return { thrown };
        }
      },
    );
  } catch (late) {
    signal.throwIfAborted();
    return brokenRecoverer(kernel, recoverer, 'timeout', toStructuredError(late).message);
  }
  if ('thrown' in planned) {
    signal.throwIfAborted();
    return thrownWhilePlanning(kernel, recoverer, planned.thrown);
  }
  const steps = readPlan(planned.returned);
  if (Array.isArray(steps)) return plannedSteps(recoverer, steps, findings);
  const message = `${recoverer.name} plans ${steps.flaw} (plugin ${pluginOf(kernel, recoverer.name)})`;
  return brokenRecoverer(kernel, recoverer, 'bad-plan', message);
}

/** Says which findings each step is for. Without `resolves` it is all of them. */
function plannedSteps(
  { name, risk }: Recoverer,
  steps: readonly RecoveryStep[],
  findings: readonly Finding[],
) {
  const all = findings.map(referenceTo);
  const byTarget = groupBy(all, ({ target }) => target);
  const inOrder = new Map(all.map((reference, index) => [reference, index]));
  const resolved = (targets: readonly string[]) =>
    [...new Set(targets)]
      .flatMap((target) => byTarget.get(target) ?? [])
      .sort((one, other) => (inOrder.get(one) ?? 0) - (inOrder.get(other) ?? 0));
  return steps.map(
    (step): PlannedStep => ({
      recoverer: name,
      risk,
      ...step,
      findings: step.resolves ? resolved(step.resolves) : all,
    }),
  );
}

/** The findings that no step is for. */
function unhandledBy(steps: readonly PlannedStep[], findings: readonly Finding[]): UnhandledFinding[] {
  const keyOf = ({ check, target, code }: FindingReference) => JSON.stringify([check, target, code]);
  const handled = new Set<string>();
  for (const list of new Set(steps.map((step) => step.findings)))
    for (const finding of list) handled.add(keyOf(finding));
  return findings
    .filter((finding) => !handled.has(keyOf(referenceTo(finding))))
    .map((finding) => {
      const { reason } = finding.error.details;
      const where = placeIn(finding.error.details);
      return {
        ...referenceTo(finding),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(where ? { where: { ...where } } : {}),
      };
    });
}
