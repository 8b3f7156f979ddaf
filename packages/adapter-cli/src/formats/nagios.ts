import { type CheckStatus, printable } from '@argusai/core';
import { statusCounts } from '../rendering/health/status-counts.js';
import { problemsWorstFirst } from '../rendering/health/worst-first.js';
import { findingSentence } from './finding-sentence.js';
import type { Finding, Findings } from './findings.js';
import { performanceData } from './performance-data.js';
import type { WrittenResult } from './program-format.js';

/** The states of a service in Nagios with their exit codes, which are not those of argus. */
const exitCodes = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type State = keyof typeof exitCodes;

const states: Readonly<Record<CheckStatus, State>> = {
  pass: 'OK',
  skipped: 'OK',
  warn: 'WARNING',
  fail: 'CRITICAL',
  unknown: 'UNKNOWN',
};

/** A line of status with performance data, then a line for everything that was looked at. Nagios and its kin read it. */
export function nagiosResult(findings: Findings): WrittenResult {
  const { overall, all, notices, repairs } = findings;
  const worst = problemsWorstFirst.flatMap((status) => all.filter(({ countsAs }) => countsAs === status))[0];
  const state = states[worst?.countsAs ?? 'pass'];
  const cause = worst ? told(worst) : '';
  const summary = [overall === undefined ? '' : statusCounts(all), cause].filter(Boolean).join(': ');
  const data = overall === undefined ? '' : ` | ${performanceData(findings)}`;
  const lines = [
    // What made the check fail as a whole is all there is to say, and stands above.
    ...all.flatMap(linesOf).slice(overall === undefined ? 1 : 0),
    ...repairs.map((repair) => `repair: ${repair}`),
    ...notices.map(({ code, message }) => `notice: ${message} (${code})`),
  ];
  const status = `ARGUS ${state} - ${harmless(summary)}${data}`;
  return { text: `${[status, ...lines.map(harmless)].join('\n')}\n`, exitCode: exitCodes[state] };
}

function linesOf(finding: Finding): string[] {
  const { status, countsAs, problems, next } = finding;
  const word = status === 'skipped' ? 'SKIPPED' : states[countsAs];
  return [
    `${word} ${told(finding)}`,
    ...problems.map((problem) => `  ${problem}`),
    ...next.map((step) => `  next: ${step}`),
  ];
}

function told(finding: Finding): string {
  const sentence = findingSentence(finding);
  return finding.code === undefined ? sentence : `${sentence} (${finding.code})`;
}

/** After a bar Nagios expects performance data, and there is no way to write one that it does not see. */
function harmless(text: string): string {
  return printable(text).replaceAll('|', '¦');
}
