import type { HealthCheckResult, HealthReport, RecoveryReport } from '@argusai/core';
import { checkLines } from './check-line.js';
import { summaryLine } from './health-summary.js';
import { cut, type Line } from './line.js';
import { noticeLines, problemLines } from './problem.js';
import { stepLines } from './recovery-steps.js';
import type { Scene } from './views.js';

/** A health report for people: the list, the problems one by one, and one line that says it all. */
export function healthReportLines(
  report: HealthReport & { recovery?: RecoveryReport },
  scene: Scene,
): Line[] {
  const { checks, notices, recovery, additions } = report;
  const problems = checks.filter(
    ({ status }) => status === 'fail' || status === 'warn' || status === 'unknown',
  );
  return [
    ...listLines(checks, scene),
    ...problems.flatMap((check): Line[] => [[], ...problemLines(scene.kernel, check)]),
    ...(recovery ? [[], ...stepLines(recovery, scene)] : []),
    ...notices.flatMap((notice): Line[] => [[], ...noticeLines(scene.kernel, notice)]),
    ...additionLines(additions),
    ...(checks.length > 1 || problems.length > 0 ? [[]] : []),
    summaryLine(report),
  ];
}

/** The list; what was skipped because of another check stands below that one. */
function listLines(checks: readonly HealthCheckResult[], { columns }: Scene): Line[] {
  const names = new Set(checks.map(({ name }) => name));
  const isConsequence = ({ causedBy }: HealthCheckResult) => causedBy !== undefined && names.has(causedBy);
  const shown = checks.filter((check) => !isConsequence(check));
  const lines = checkLines(
    shown.map((check) => ({ ...check, state: check.status })),
    columns !== undefined,
  );
  const lastOf = new Map(shown.map(({ name }, index) => [name, index]));
  return shown.flatMap(({ name }, index): Line[] => {
    const line = lines[index] ?? [];
    const fitting = columns === undefined ? line : cut(line, columns);
    if (lastOf.get(name) !== index) return [fitting];
    const consequences = checks.filter((check) => isConsequence(check) && check.causedBy === name);
    if (consequences.length === 0) return [fitting];
    const skipped = consequences.map((check) => check.name).join(', ');
    const below: Line = [
      [`${columns === undefined ? '        ' : '  '}skipped because of it: ${skipped}`, 'dim'],
    ];
    return [fitting, columns === undefined ? below : cut(below, columns)];
  });
}

function additionLines(additions: HealthReport['additions']): Line[] {
  return Object.entries(additions).map(([plugin, value]) => [
    [`${plugin}: `, 'bold'],
    JSON.stringify(value) ?? '',
  ]);
}
