import { relative } from 'node:path';
import type { ResultOf } from '@argusai/core';
import type { Line } from '../text/line.js';

/** A new configuration for people: what is in it and what is not, or in a dry run the text itself. */
export function initLines(init: ResultOf<'init'>, dir: string): Line[] {
  const { text, found, services, suites, notes } = init;
  if (text !== undefined)
    return text
      .trimEnd()
      .split('\n')
      .map((line): Line => [line]);
  const [file, schema] = [init.file, init.schema].map((path) => relative(dir, path));
  return [
    ...services.map(({ name, from }): Line => [`service ${name}  from ${from}`]),
    ...suites.map((id): Line => [`suite ${id}`]),
    ...notes.map((note): Line => [['note: ', 'yellow'], note]),
    ...(found.length === 0
      ? [['Nothing was found to make it from: it is an example, all in comments'] as Line]
      : []),
    schemaLine(init.schemaState, schema ?? ''),
    [
      ['written', 'green'],
      services.length === 0
        ? `: ${file}; next: name what to start in it, then argus check`
        : `: ${file}; next: argus check`,
    ],
  ];
}

function schemaLine(state: ResultOf<'init'>['schemaState'], schema: string): Line {
  if (state === 'kept')
    return [
      ['note: ', 'yellow'],
      `${schema} is not argus's and was kept; argus schema > argus.schema.json writes one for editors`,
    ];
  const renewed = state === 'renewed' ? `${schema} was there and is renewed. It` : schema;
  return [`${renewed} tells editors what can be written; argus schema > ${schema} renews it`];
}
