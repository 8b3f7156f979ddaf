import { basename, dirname } from 'node:path';
import { formatPath, type ShownConfig } from '@argusai/core';
import { type Line, widthOf } from '../text/line.js';

/** Where the sources begin, unless most lines are longer. */
const column = 48;

/** A line of the configuration, and where its value comes from. */
interface Entry {
  readonly line: Line;
  readonly source?: string;
}

/** A configuration for people: much like YAML, with the source of each value at the right. */
export function configurationLines({ file, dir, config, sources }: ShownConfig): Line[] {
  const name = file === null ? '' : basename(file);
  const sourceAt = new Map(sources.map((source) => [source.path, source]));
  const say = (path: readonly (string | number)[]) => {
    const { from, line, written } = sourceAt.get(formatPath(path)) ?? {};
    const place = line === undefined ? name : `${name}:${line}`;
    return { written, source: from === 'file' ? place : from };
  };
  const entries = entriesOf(config, [], 0, say);
  return [
    [[file === null ? '# There is no configuration file; these are the defaults' : `# ${file}`, 'dim']],
    ...(file === null || dirname(file) === dir ? [] : [[[`# for the project in ${dir}`, 'dim']] as Line]),
    ...entries.map(({ line, source }): Line => {
      if (source === undefined) return line;
      const gap = ' '.repeat(Math.max(2, column - widthOf(line)));
      return [...line, gap, [source, 'dim']];
    }),
  ];
}

type Say = (path: readonly (string | number)[]) => {
  readonly written: string | undefined;
  readonly source: string | undefined;
};

function entriesOf(value: unknown, path: readonly (string | number)[], depth: number, say: Say): Entry[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => itemEntries(item, [...path, index], depth, say));
  }
  return Object.entries(value ?? {}).flatMap(([key, inner]): Entry[] => {
    const at = [...path, key];
    const head: Line = [indent, [`${keyText(key)}:`, 'bold']];
    if (hasInner(inner)) return [{ line: head }, ...entriesOf(inner, at, depth + 1, say)];
    return [leaf([...head, ' '], inner, at, say)];
  });
}

/** An entry of a list: its first line carries the dash. */
function itemEntries(item: unknown, path: readonly (string | number)[], depth: number, say: Say): Entry[] {
  const indent = '  '.repeat(depth);
  if (!hasInner(item)) return [leaf([indent, '- '], item, path, say)];
  const [first, ...others] = entriesOf(item, path, depth + 1, say);
  return first ? [{ ...first, line: [indent, '- ', ...first.line.slice(1)] }, ...others] : [];
}

function leaf(head: Line, value: unknown, path: readonly (string | number)[], say: Say): Entry {
  const { written, source } = say(path);
  return { line: [...head, written ?? scalarText(value)], ...(source === undefined ? {} : { source }) };
}

function hasInner(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function keyText(key: string): string {
  return /^[\w$./@-]+$/.test(key) ? key : JSON.stringify(key);
}

/** As one would write it in YAML: in quotes only where it would be read as something else. */
function scalarText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = /^[A-Za-z./~][\w ./:@-]*$/.test(value) && !/: |:$|\s$/.test(value);
  const isOther = /^(?:true|false|null|yes|no|on|off|~)$/i.test(value);
  return isPlain && !isOther ? value : JSON.stringify(value);
}
