import { counted, type JsonObject, type RecordedRepair } from '@argusai/core';
import { refusedBy } from '../recovery/refused-by.js';
import { ago } from '../text/ago.js';
import type { Line } from '../text/line.js';

/** How much of the evidence people get to see, in characters; programs get all of it. */
const shownEvidence = 200;

/** Repairs for people: when and what, what came of it, and what was kept before. */
export function recordedRepairLines(repairs: readonly RecordedRepair[], others: number, now: number): Line[] {
  const more: Line[] = others === 0 ? [] : [[[moreOf(others, repairs.length), 'dim']]];
  return [...repairs.flatMap((repair) => repairLines(repair, now)), ...more];
}

function moreOf(others: number, count: number): string {
  const [are, them] = others === 1 ? ['is known', 'it'] : ['are known', 'them'];
  return count === 0
    ? `${counted(others, 'repair')} of something else ${are}: argus incidents shows ${them}`
    : `${counted(others, 'more repair')} ${are}: argus incidents --last ${count + others} shows ${them}, --format json shows everything`;
}

function repairLines(repair: RecordedRepair, now: number): Line[] {
  const { at, action, target, recoverer, risk, findings, refusal, error, evidence } = repair;
  const about = findings.map(({ check, code }) => `${check} (${code})`).join(', ');
  return [
    [`${action} ${target}: `, [becameOf(repair), colorOf(repair)]],
    [[`  ${recoverer}, ${risk}, ${ago(now - at)}${about ? `, for ${about}` : ''}`, 'dim']],
    ...(refusal ? [[`  refused ${refusedBy(refusal)}`]] : []),
    ...(error ? [[`  ${error.message} (${error.code})`]] : []),
    ...(evidence ? keptLines(evidence) : []),
  ];
}

function becameOf({ outcome, verdict }: RecordedRepair): string {
  if (outcome === 'open')
    return 'begun, and no end is recorded: it goes on, or was killed and is perhaps partly done';
  if (outcome === 'interrupted') return `interrupted, perhaps partly done${verdict ? `; ${verdict}` : ''}`;
  return outcome === 'applied' ? (verdict ?? outcome) : outcome;
}

function colorOf({ outcome, verdict }: RecordedRepair): 'green' | 'yellow' | 'red' {
  if (outcome === 'failed' || verdict === 'worse') return 'red';
  return outcome === 'applied' && verdict === 'recovered' ? 'green' : 'yellow';
}

/** What was kept before. The problems themselves are named above. */
function keptLines({ problems: _, ...kept }: JsonObject): Line[] {
  return Object.entries(kept).map(([part, value]): Line => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const end = text.length > shownEvidence ? '…' : '';
    return [['  before: ', 'dim'], `${part}: ${text.slice(0, shownEvidence).replaceAll('\n', ' ')}${end}`];
  });
}
