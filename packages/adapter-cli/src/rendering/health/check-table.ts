import { cut, type Line, type Span, textWidth, widthOf } from '../text/line.js';
import { markOf } from '../text/mark.js';
import { took } from '../text/took.js';
import type { CheckRow } from './check-row.js';
import type { CheckGroup } from './check-tree.js';

/** As wide as the longest duration: `59.9 s`, `999 ms`. */
const timeWidth = 6;

/** How much further in something stands than what it belongs to. */
const indent = 2;

/** How much of a message tells anything at all. */
const leastMessage = 4;

/** How a list is drawn. */
export interface TableLook {
  readonly columns: number;
  /** What stands for a check that runs. */
  readonly spinner?: string;
}

/** The list of checks on a terminal, a heading for each plugin and one line for each of its checkers. */
export function checkTable(
  groups: readonly CheckGroup[],
  rowOf: (name: string) => CheckRow,
  { columns, spinner }: TableLook,
): Line[] {
  const widths = groups.flatMap(({ rows }) =>
    rows.map(({ name, depth }) => indent * depth + textWidth(name)),
  );
  const width = Math.min(Math.floor(columns / 2), Math.max(0, ...widths));
  return groups.flatMap(({ plugin, rows }): Line[] => [
    [[plugin, 'bold']],
    ...rows.map(({ name, depth }): Line => {
      const { state, message, more = '', duration } = rowOf(name);
      const inset = Math.min(indent * depth, width);
      const title = cut([name], width - inset);
      const gap = ' '.repeat(width - inset - widthOf(title));
      const time = (duration === undefined ? '' : took(duration)).padStart(timeWidth);
      const mark: Span = state === 'running' && spinner ? [spinner, 'cyan'] : markOf(state, true);
      const isQuiet = state === 'skipped' || state === 'waiting';
      const room = columns - 1 - (width + timeWidth + 8);
      // Where there is room for one of both, the message says more.
      const added = room - textWidth(more) < leastMessage ? '' : more;
      const said = cut([message], room - textWidth(added));
      const row: Line = [
        ...[' '.repeat(indent + inset), mark, ' '],
        ...(isQuiet ? title.map((span): Span => [String(span), 'dim']) : title),
        ...[`${gap}  `, [time, 'dim'] as const, '  '],
        ...[...said, added].map((span): Span => (isQuiet ? [String(span), 'dim'] : span)),
      ];
      return cut(row, columns - 1);
    }),
  ]);
}
