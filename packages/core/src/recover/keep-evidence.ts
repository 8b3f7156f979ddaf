import type { Kernel } from '../kernel/kernel.js';
import { present } from '../kernel/present.js';
import { excerpt } from '../model/excerpt.js';
import type { HealthReport } from '../model/health-report.js';
import { type JsonObject, toJson } from '../model/json.js';
import type { Recoverer } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Redactor } from '../redact/redactor.js';
import { withTimeLimit } from '../time/time-limit.js';
import { findingsOf, handledBy, referenceTo } from './findings.js';
import { findingKey } from './policy/failures/finding-key.js';

/** How long a recoverer may take to keep the evidence of one step, in milliseconds. */
const limitMs = 10_000;

/** Keeps what a recoverer wants kept before a step. A repair is not left undone because a log could not be read; that is noted. */
export function evidenceKeeper(
  kernel: Kernel,
  recoverer: Recoverer,
  report: HealthReport,
): (step: PlannedStep, signal: AbortSignal) => Promise<JsonObject> {
  const { clock, project, redactor } = kernel;
  const findings = findingsOf(report).filter((finding) => handledBy(recoverer, finding));
  // Of several of one name the first counts.
  const errors = new Map(
    findings.toReversed().map((finding) => [findingKey(referenceTo(finding)), finding.error]),
  );
  const own = async (step: PlannedStep, signal: AbortSignal) => {
    if (!recoverer.evidence) return {};
    const { evidence } = recoverer;
    const context = { findings: structuredClone(findings), project, clock };
    return evidenceIn(
      await withTimeLimit(clock, limitMs, signal, `${step.recoverer} kept no evidence`, async (limited) =>
        evidence.call(recoverer, structuredClone(step), { ...context, signal: limited }),
      ),
      redactor,
    );
  };
  return async (step, signal) => {
    const problems = step.findings.flatMap((finding) => errors.get(findingKey(finding)) ?? []);
    try {
      return present<object>(kernel, { problems, ...(await own(step, signal)) }) as JsonObject;
    } catch (thrown) {
      const { message } = toStructuredError(thrown, clock.now());
      return present<object>(kernel, { problems, incomplete: message }) as JsonObject;
    }
  };
}

function evidenceIn(own: unknown, redactor: Redactor): JsonObject {
  const kept = own === undefined || own === null ? {} : toJson(own);
  if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return kept;
  throw new TypeError(`what was kept is no object: ${excerpt(kept, redactor)}`);
}
