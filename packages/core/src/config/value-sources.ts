import type { ConfigOrigin } from './config-origin.js';
import { leavesOf } from './leaves.js';
import { formatPath } from './problem.js';
import { valueAt } from './shown-value.js';
import { writtenDefaults } from './written-defaults.js';

/** Where a value of the configuration comes from. */
export interface ValueSource {
  readonly from: 'file' | 'default';
  /** The line of the file, for files that have such lines. */
  readonly line?: number;
  /** How it is written where that is not what it became, such as `2s` for 2000. */
  readonly written?: string;
}

/** Where each value of a validated configuration comes from, by its path. */
export async function valueSources(
  config: object,
  { raw, findLine }: ConfigOrigin,
): Promise<Record<string, ValueSource>> {
  const lineOf = await findLine();
  const defaultAt = writtenDefaults();
  const sources = leavesOf(config).map(({ path, value }): [string, ValueSource] => {
    const given = givenAt(path, raw, config);
    const written = given === undefined ? defaultAt(path) : valueAt(raw, path);
    const line = given === undefined ? undefined : lineOf(given);
    const source: ValueSource = {
      from: given === undefined ? 'default' : 'file',
      ...(line === undefined ? {} : { line }),
      ...(typeof value === 'number' && typeof written === 'string' ? { written } : {}),
    };
    return [formatPath(path), source];
  });
  return Object.fromEntries(sources);
}

/**
 * The path of what the file says about a value; nothing if it says nothing. One text can stand for several values, as
 * `8080:3000` does, and one entry of a list for several entries.
 */
function givenAt(
  path: readonly (string | number)[],
  raw: unknown,
  config: unknown,
): readonly (string | number)[] | undefined {
  let given = raw;
  let parsed = config;
  for (const [depth, key] of path.entries()) {
    if (typeof given !== 'object' || given === null) return path.slice(0, depth);
    const isExpanded = Array.isArray(given) && Array.isArray(parsed) && given.length !== parsed.length;
    if (isExpanded) return path.slice(0, depth);
    given = valueAt(given, [key]);
    parsed = valueAt(parsed, [key]);
    if (given === undefined) return undefined;
  }
  return path;
}
