import type { Kernel } from '../kernel/kernel.js';
import { present } from '../kernel/present.js';
import type { JsonObject } from '../model/json.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';

/** How much of a project's history is kept. */
const retention = { maxEntries: 1_000 };

/** The stream that a project's repairs are recorded in. */
export function historyStream(project: string): string {
  return `recovery/${project}`;
}

/** Records that a step is about to be carried out, with what was kept before. Whoever is killed leaves this behind. */
export async function recordStart(kernel: Kernel, step: PlannedStep, evidence: JsonObject): Promise<void> {
  await append(kernel, { phase: 'started', step: describe(step), evidence });
}

/** Records what became of a step. */
export async function recordOutcome(kernel: Kernel, outcome: StepOutcome): Promise<void> {
  const { refusal, error, verdict } = outcome;
  await append(kernel, {
    phase: 'finished',
    step: describe(outcome),
    outcome: outcome.outcome,
    refusal,
    error,
    verdict,
  });
}

function describe({ recoverer, risk, target, service, action, findings }: PlannedStep) {
  return { recoverer, risk, target, action, findings, ...(service === undefined ? {} : { service }) };
}

async function append(kernel: Kernel, entry: object): Promise<void> {
  await kernel.store.append(
    historyStream(kernel.project.name),
    present(kernel, entry) as JsonObject,
    retention,
  );
}
