import type { ResultOf } from '@argusai/core';
import { ago } from '../text/ago.js';
import type { Line } from '../text/line.js';

/** What a reset of a circuit tells; failures oldest first. */
export type ShownCircuitReset = ResultOf<'reset-circuit'>;

/** How many of the last failures are shown; programs get all of them. */
const shownFailures = 5;

/** A reset of a circuit for people: how it was and is, what had failed, and what the next call does. */
export function circuitResetLines(reset: ShownCircuitReset, dryRun: boolean, now = Date.now()): Line[] {
  const { circuit, message, failureHistory } = reset;
  if (circuit === null) return [[message]];
  return [
    [message],
    stateLine(reset, dryRun),
    ...failureLines(failureHistory, now),
    [nextCall(reset, dryRun)],
  ];
}

function stateLine({ previous, current }: ShownCircuitReset, dryRun: boolean): Line {
  return previous === current
    ? ['state: ', [current, 'bold'], ', as before']
    : [
        ...['state: ', [previous, 'bold'] as const],
        ...[dryRun ? ', after a reset ' : ' before, now ', [current, 'bold'] as const],
      ];
}

function failureLines(failures: ShownCircuitReset['failureHistory'], now: number): Line[] {
  if (failures.length === 0) return [['failures: none is remembered']];
  const groups = equalOnce(failures);
  const shown = groups.slice(-shownFailures);
  const cut = groups.length > shown.length ? ` (the last ${shown.length} of ${groups.length})` : '';
  return [
    [`failures${cut}, the latest last:`],
    ...shown.map(({ said, at, count }): Line => {
      const when = count === 1 ? ago(now - at) : `${count} times, the last one ${ago(now - at)}`;
      return [[`  ${when}  `, 'dim'], said];
    }),
  ];
}

/** Failures with those that follow an equal one only counted. */
function equalOnce(failures: ShownCircuitReset['failureHistory']) {
  const groups: { said: string; at: number; count: number }[] = [];
  for (const { error, timestamp: at } of failures) {
    const said = error.split('\n')[0] ?? '';
    const last = groups.at(-1);
    if (last?.said === said) groups.splice(-1, 1, { said, at, count: last.count + 1 });
    else groups.push({ said, at, count: 1 });
  }
  return groups;
}

function nextCall({ previous, current }: ShownCircuitReset, dryRun: boolean): string {
  if (dryRun && previous === 'open')
    return 'the next call: is refused until the circuit is reset or its time is up; after a reset it is the probe';
  if (current === 'closed') return 'the next call: goes through';
  return 'the next call: one call finds out whether it is back; the circuit closes if it succeeds, and opens again if not';
}
