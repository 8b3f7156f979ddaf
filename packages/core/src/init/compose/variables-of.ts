import { listOf } from './list-of.js';

/** Variables as a map or as a list of `NAME=value`, and the names of those that have no value. */
export function variablesOf(value: unknown): {
  variables: Record<string, unknown>;
  withoutValue: string[];
} {
  const pairs: [string, unknown][] =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : listOf(value).map((entry) => {
          const [, name = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(String(entry)) ?? [];
          return [name, text];
        });
  const hasValue = ([, text]: [string, unknown]) => text !== undefined && text !== null;
  return {
    variables: Object.fromEntries(pairs.filter(hasValue)),
    withoutValue: pairs.filter((pair) => !hasValue(pair)).map(([name]) => name),
  };
}
