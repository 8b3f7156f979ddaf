import type { HealthCheckResult, HealthReport, RecoveryReport } from '@argusai/core';
import { noticeLines, problemLines } from '../problems/problem.js';
import { stepLines } from '../recovery/recovery-steps.js';
import type { Line } from '../text/line.js';
import { markOf } from '../text/mark.js';
import { wrapLines } from '../text/wrap.js';
import type { Scene } from '../view.js';
import { checkLines } from './check-line.js';
import { checkRow } from './check-row.js';
import { checkTable } from './check-table.js';
import { checkTree } from './check-tree.js';
import { summaryLine } from './health-summary.js';
import { problemsWorstFirst } from './worst-first.js';

/** A health report for people: the list, the problems one by one, and one line that says it all. */
export function healthReportLines(
  report: HealthReport & { recovery?: RecoveryReport; environment?: string },
  scene: Scene,
): Line[] {
  const { checks, notices, recovery, additions } = report;
  const problems = causesFirst(checks);
  const { columns } = scene;
  const told: Line[] = [
    ...problems.flatMap((problem, index): Line[] => {
      // A checker with several problems tells with the first what could not be looked at because of them, and with each what it explains.
      const isFirst = problems.findIndex(({ name }) => name === problem.name) === index;
      const consequences = skippedBecauseOf(problem.name, checks, (which) =>
        which === undefined ? isFirst : which === problem.target,
      );
      const look = { mark: markOf(problem.status, true), consequences };
      return [[], ...problemLines(scene.kernel, problem, columns === undefined ? undefined : look)];
    }),
    ...(recovery ? [[], ...stepLines(recovery, scene)] : []),
    ...notices.flatMap((notice): Line[] => [[], ...noticeLines(scene.kernel, notice, { foundBy: 'check' })]),
    ...additionLines(additions),
  ];
  const isReady = report.overall === 'healthy' && report.environment === 'nothing-runs';
  const verdict = summaryLine(report, isReady ? 'ready to set up, nothing runs; ' : '');
  if (columns !== undefined) {
    return [...tableOf(checks, scene, columns), ...wrapLines([...told, [], verdict], columns - 1)];
  }
  const isShort = checks.length <= 1 && problems.length === 0;
  return [...plainList(checks), ...told, ...(isShort ? [] : [[]]), verdict];
}

/** What is wrong: first what keeps others from being looked at, then the worst. */
function causesFirst(checks: readonly HealthCheckResult[]): HealthCheckResult[] {
  const causes = new Set(checks.map(({ causedBy }) => causedBy));
  const isCause = ({ name }: HealthCheckResult) => causes.has(name);
  const problems = problemsWorstFirst.flatMap((status) => checks.filter((check) => check.status === status));
  return [...problems.filter(isCause), ...problems.filter((problem) => !isCause(problem))];
}

function skippedBecauseOf(
  cause: string,
  checks: readonly HealthCheckResult[],
  isMeant: (which: string | undefined) => boolean = () => true,
): string[] {
  return checks
    .filter(({ causedBy, causedByTarget }) => causedBy === cause && isMeant(causedByTarget))
    .map(({ name, target }) => (target === undefined ? name : `${name} ${target}`));
}

/** The list on a terminal: a line for each checker, in the place that it had while it ran. */
function tableOf(checks: readonly HealthCheckResult[], { kernel }: Scene, columns: number): Line[] {
  const plugins = new Map(checks.map(({ name, plugin }) => [name, plugin]));
  const placed = [...plugins].map(([name, plugin]) => ({
    name,
    plugin,
    requires: kernel.checkers.get(name)?.requires ?? [],
  }));
  const results = (name: string) => checks.filter((check) => check.name === name);
  return checkTable(checkTree(placed), (name) => checkRow(results(name)), { columns });
}

/** The list elsewhere: a line for each thing that was looked at, and below a cause what was skipped because of it. */
function plainList(checks: readonly HealthCheckResult[]): Line[] {
  const names = new Set(checks.map(({ name }) => name));
  const shown = checks.filter(({ causedBy }) => causedBy === undefined || !names.has(causedBy));
  const lines = checkLines(shown.map((check) => ({ ...check, state: check.status })));
  return shown.flatMap(({ name }, index): Line[] => {
    const line = lines[index] ?? [];
    const isLast = shown.findLastIndex((check) => check.name === name) === index;
    const skipped = isLast ? skippedBecauseOf(name, checks) : [];
    return skipped.length === 0
      ? [line]
      : [line, [[`        skipped because of it: ${skipped.join(', ')}`, 'dim']]];
  });
}

function additionLines(additions: HealthReport['additions']): Line[] {
  return Object.entries(additions).map(([plugin, value]) => [
    [`${plugin}: `, 'bold'],
    JSON.stringify(value) ?? '',
  ]);
}
