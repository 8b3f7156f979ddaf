import type { ConfigOrigin } from './config-origin.js';
import { leavesOf } from './leaves.js';
import { formatPath } from './path.js';
import { valueAt } from './shown-value.js';
import { writtenDefaults } from './written-defaults.js';

/** Where a value of the configuration comes from. */
export interface ValueSource {
  /** Where the value is, such as `services.api.ports[0].host`. */
  readonly path: string;
  readonly from: 'file' | 'default';
  /** The line of the file, for files that have such lines. */
  readonly line?: number;
  /** How it is written where that is not what it became, such as `2s` for 2000. */
  readonly written?: string;
}

/**
 * Where each value of a validated configuration comes from. A list: as keys of an object, the paths of secrets would be
 * taken for the names of secrets.
 */
export async function valueSources(config: object, { raw, findLine }: ConfigOrigin): Promise<ValueSource[]> {
  const lineOf = await findLine();
  const defaultAt = writtenDefaults();
  return leavesOf(config).map(({ path, value }): ValueSource => {
    const given = givenAt(path, raw, config);
    const written = given === undefined ? defaultAt(path) : valueAt(raw, path);
    const line = given === undefined ? undefined : lineOf(given);
    return {
      path: formatPath(path),
      from: given === undefined ? 'default' : 'file',
      ...(line === undefined ? {} : { line }),
      ...(typeof value === 'number' && typeof written === 'string' ? { written } : {}),
    };
  });
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
