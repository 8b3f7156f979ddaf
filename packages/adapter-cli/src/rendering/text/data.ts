import type { Line } from './line.js';

/** Any data as indented `key: value` lines. */
export function dataLines(data: unknown): Line[] {
  const lines = linesOf(data, 0);
  return lines.length === 0 ? [[['nothing', 'dim']]] : lines;
}

function linesOf(value: unknown, depth: number): Line[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, depth));
  if (!isObject(value)) return textOf(value).map((text) => [indent, text]);
  return Object.entries(value).flatMap(([key, item]): Line[] => entryLines(key, item, depth, indent));
}

function entryLines(key: string, value: unknown, depth: number, indent: string): Line[] {
  const short = shortText(value);
  if (short !== undefined) return [[indent, [`${key}: `, 'bold'], short]];
  return [[indent, [`${key}:`, 'bold']], ...linesOf(value, depth + 1)];
}

/** An item of a list: its first line carries the dash. */
function itemLines(item: unknown, depth: number): Line[] {
  const indent = '  '.repeat(depth);
  const [first, ...others] = linesOf(item, depth + 1);
  if (!first) return [[indent, '- ', shortText(item) ?? '']];
  return [[indent, '- ', ...first.slice(1)], ...others];
}

/** The text of a value that fits on the line of its key. */
function shortText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const isShort = value.every(
      (item) => !isObject(item) && !Array.isArray(item) && String(item).length < 40,
    );
    return isShort && value.length <= 8 ? value.map(String).join(', ') : undefined;
  }
  if (isObject(value)) return Object.keys(value).length === 0 ? 'none' : undefined;
  const lines = textOf(value);
  return lines.length === 1 ? lines[0] : undefined;
}

function textOf(value: unknown): string[] {
  if (value === null || value === undefined) return ['none'];
  return String(value).replace(/\n$/, '').split('\n');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
