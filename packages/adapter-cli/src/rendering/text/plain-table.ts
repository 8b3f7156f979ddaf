import type { Line } from './line.js';

/** Lines with columns as wide as their widest cell; columns that are empty everywhere are left out. */
export function plainTable(rows: readonly (readonly string[])[]): Line[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => [
    row.flatMap((cell, column) => (widths[column] ? [cell.padEnd(widths[column] ?? 0)] : [])).join('  '),
  ]);
}
