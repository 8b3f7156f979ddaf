import type { Row } from './row.js';

/** Of those that can be recovered from, nine in ten must be. */
const recoveredShare = 0.9;
/** Of ten failures, seven must be gone. */
const fewerFailures = 0.7;

/** What the scenarios showed together, and what of it is not good enough. */
export interface Figures {
  readonly lines: readonly string[];
  readonly shortfalls: readonly string[];
}

/** Counts what was detected, what was recovered from, what an agent got right, and what it would be without all that. */
export function figuresOf(rows: readonly Row[]): Figures {
  const product = rows.flatMap((row) => (row.way === 'with' ? [row] : []));
  const baselines = rows.flatMap((row) => (row.way === 'without' ? [row] : []));
  const journeys = rows.flatMap((row) => (row.way === 'agent' ? [row] : []));

  const detectable = product.filter((row) => row.detectable);
  const detected = detectable.filter((row) => row.detected !== null);
  const recoverable = product.filter((row) => row.recoverable);
  const recovered = recoverable.filter((row) => row.verified);
  const right = journeys.filter((row) => row.right);
  const calls = journeys.map((row) => row.calls.length);
  const failing = baselines.filter((row) => !row.works);
  const compared = product.filter((row) => baselines.some(({ scenario }) => scenario === row.scenario));
  const stillFailing = compared.filter((row) => !row.verified);
  const leftOut = product.filter((row) => row.leftOut?.without !== undefined);

  const lines = [
    `detected: ${detected.length} of ${detectable.length}`,
    `recovered without a human: ${share(recovered.length, recoverable.length)} of those that can be`,
    `an agent that follows suggestedActions: ${share(right.length, journeys.length)} right, in ${sum(calls)} calls (at most ${Math.max(0, ...calls)})`,
    `failures: ${failing.length} of ${baselines.length} without preflight and recovery, ${stillFailing.length} with them; left out: ${leftOut.length}${leftOut.length === 0 ? '' : ', with the reason in the table'}`,
  ];
  const notes = product.flatMap(({ scenario, note }) => (note === undefined ? [] : [`${scenario}: ${note}`]));
  const shortfalls = [
    ...(detected.length < detectable.length ? ['not everything was detected'] : []),
    ...(recovered.length < recoverable.length * recoveredShare ? ['less than 90% was recovered from'] : []),
    ...(stillFailing.length > failing.length * (1 - fewerFailures) ? ['failures are not 70% fewer'] : []),
  ];
  return { lines: [...lines, ...notes], shortfalls };
}

function share(part: number, whole: number): string {
  return `${part} of ${whole}${whole === 0 ? '' : ` (${Math.round((100 * part) / whole)}%)`}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
