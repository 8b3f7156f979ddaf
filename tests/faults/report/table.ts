import type { Row } from './row.js';

type Of<Way extends Row['way']> = Extract<Row, { way: Way }>;

const heads = ['scenario', 'detected as', 'recovered', 'without', 'agent'];

/** The table of all scenarios, one a line. */
export function tableOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.map(({ scenario }) => scenario))];
  const cells = names.map((name) => {
    const of = <Way extends Row['way']>(way: Way) =>
      rows.find((row): row is Of<Way> => row.way === way && row.scenario === name);
    const product = of('with');
    const { without, agent } = product?.leftOut ?? {};
    return [name, ...outcome(product), baseline(of('without'), without), journey(of('agent'), agent)];
  });
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const draw = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [draw(heads), draw(widths.map((width) => '-'.repeat(width))), ...cells.map(draw)].join('\n');
}

function outcome(row: Of<'with'> | undefined): [string, string] {
  if (!row) return ['', ''];
  const detected = row.detectable ? (row.detected ?? 'NOT DETECTED') : '(nothing to detect)';
  if (!row.recoverable) return [detected, row.verified ? '(not to be had)' : 'HARM DONE'];
  return [detected, row.verified ? `yes, ${row.seconds.toFixed(1)} s` : 'NO'];
}

function baseline(row: Of<'without'> | undefined, leftOut: string | undefined): string {
  if (!row) return missing(leftOut);
  return row.works ? 'works' : `fails: ${row.why}`;
}

function journey(row: Of<'agent'> | undefined, leftOut: string | undefined): string {
  if (!row) return missing(leftOut);
  return `${row.right ? 'right' : `WRONG (${row.verdict})`}, ${row.calls.length}: ${row.calls.join(', ')}`;
}

/** Not tried, and why; nothing where it only has not been run. */
function missing(leftOut: string | undefined): string {
  return leftOut === undefined ? '' : `– ${leftOut}`;
}
