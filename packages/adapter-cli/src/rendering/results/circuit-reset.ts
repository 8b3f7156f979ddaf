import type { ResultOf } from '@argusai/core';
import type { Line } from '../text/line.js';

/** What a reset of a circuit tells; failures oldest first. */
export type ShownCircuitReset = ResultOf<'reset-circuit'>;

/** How many of the last failures are shown; programs get all of them. */
const shownFailures = 5;

/** A reset of a circuit for people: how it was and is, what had failed, and what the next call does. */
export function circuitResetLines(reset: ShownCircuitReset, dryRun: boolean): Line[] {
  const { message, failureHistory } = reset;
  return [[message], stateLine(reset, dryRun), ...failureLines(failureHistory), [nextCall(reset, dryRun)]];
}

function stateLine({ previous, current }: ShownCircuitReset, dryRun: boolean): Line {
  return previous === current
    ? ['state: ', [current, 'bold'], ', as before']
    : [
        ...['state: ', [previous, 'bold'] as const],
        ...[dryRun ? ', after a reset ' : ' before, now ', [current, 'bold'] as const],
      ];
}

function failureLines(failures: ShownCircuitReset['failureHistory']): Line[] {
  if (failures.length === 0) return [['failures: none is remembered']];
  const shown = failures.slice(-shownFailures);
  const cut = failures.length > shown.length ? ` (the last ${shown.length} of ${failures.length})` : '';
  return [
    [`failures${cut}, the latest last:`],
    ...shown.map(
      ({ error, timestamp }): Line => [
        [`  ${new Date(timestamp).toISOString()}  `, 'dim'],
        error.split('\n')[0] ?? '',
      ],
    ),
  ];
}

function nextCall({ previous, current }: ShownCircuitReset, dryRun: boolean): string {
  if (dryRun && previous === 'open')
    return 'the next call: is refused until the circuit is reset or its time is up; after a reset it is the probe';
  if (current === 'closed') return 'the next call: goes through';
  return 'the next call: one call finds out whether it is back; the circuit closes if it succeeds, and opens again if not';
}
