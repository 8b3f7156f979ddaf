import type { Kernel } from '../kernel/kernel.js';
import type { JsonObject } from '../model/json.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { historyStream } from './history.js';

type RecordedStep = Pick<PlannedStep, 'recoverer' | 'risk' | 'target' | 'service' | 'action' | 'findings'>;

/** A repair as it was written down, with the evidence that was kept before. */
export interface RecordedRepair
  extends RecordedStep,
    Pick<StepOutcome, 'refusal' | 'error' | 'evidence' | 'verdict'> {
  /** When it began or was refused, in milliseconds since the epoch. */
  readonly at: number;
  /** Null when no end is written down. */
  readonly endedAt: number | null;
  /** `open` has begun and has no end: it goes on, or whoever did it was killed, so that it may be partly done. */
  readonly outcome: StepOutcome['outcome'] | 'open';
}

/** What the stream of a project's repairs is made of: `recordStart` and `recordOutcome` write it. */
type Entry = { readonly step: RecordedStep } & (
  | { readonly phase: 'started'; readonly evidence: JsonObject }
  | ({ readonly phase: 'finished' } & Pick<StepOutcome, 'outcome' | 'refusal' | 'error' | 'verdict'>)
);

/** The repairs of a project that are still known, newest first. */
export async function recordedRepairs({ store, project }: Kernel): Promise<RecordedRepair[]> {
  const repairs: RecordedRepair[] = [];
  for (const { at, value } of await store.read(historyStream(project.name))) {
    const { step, ...rest } = value as unknown as Entry;
    if (rest.phase === 'started') {
      repairs.push({ ...step, at, endedAt: null, outcome: 'open', evidence: rest.evidence });
      continue;
    }
    const { phase: _, ...end } = rest;
    // What was refused never began, and of what began long ago only the end may still be known.
    const begun = repairs.findLastIndex((repair) => repair.outcome === 'open' && isOf(repair, step));
    const start = begun < 0 || end.outcome === 'refused' ? undefined : repairs[begun];
    if (start) repairs[begun] = { ...start, ...end, endedAt: at };
    else repairs.push({ ...step, at, endedAt: at, ...end });
  }
  return repairs.reverse();
}

function isOf(repair: RecordedStep, { recoverer, target, action }: RecordedStep): boolean {
  return repair.recoverer === recoverer && repair.target === target && repair.action === action;
}
