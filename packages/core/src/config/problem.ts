import { ArgusError } from '../model/argus-error.js';
import { configInvalid, pluginIncompatible } from '../model/core-error-codes.js';
import { coreVersion } from '../model/core-version.js';
import type { ErrorCode } from '../model/error-code.js';
import { createRedactor } from '../redact/redactor.js';
import { formatPath } from './path.js';

type DetailsOf<Code> = Code extends ErrorCode<string, infer Details> ? Details : never;

/** One thing that is wrong with a configuration, as it is reported. */
export type ConfigProblem = DetailsOf<typeof configInvalid>['problems'][number];

/** One thing that is wrong, before its place in a file is known. */
export interface Problem extends Omit<ConfigProblem, 'path' | 'line'> {
  readonly path: readonly PropertyKey[];
  /** Known already where the text itself could not be read. */
  readonly line?: number;
  /** The plugin that stands there is made for another core. */
  readonly isIncompatible?: boolean;
}

/** Where in a file a path is; nothing for files without lines to speak of. */
export type FindLine = (path: readonly PropertyKey[]) => number | undefined;

/** The error that tells all problems of a configuration at once. */
export function configError(
  file: string | null,
  problems: readonly Problem[],
  findLine: FindLine = () => undefined,
  cause?: unknown,
): ArgusError {
  const told = problems.map((problem) => toConfigProblem(problem, findLine)).sort(byLine);
  const [first] = told;
  const count = told.length === 1 ? 'one problem' : `${told.length} problems, the first`;
  const line = first?.line === undefined ? '' : `, line ${first.line}`;
  const where = file === null ? 'The configuration' : file;
  // There is no kernel yet that would remove secrets.
  const redactor = createRedactor();
  const message = redactor.text(`${where} has ${count}: ${first?.path}${line}: ${first?.message}`);
  const listed = told.map((problem) => redactor.redact(problem));
  const origin = cause === undefined ? {} : { cause };
  if (problems.length > 0 && problems.every(({ isIncompatible }) => isIncompatible)) {
    const details = { file, core: coreVersion, problems: listed };
    return new ArgusError(pluginIncompatible, { message, details, ...origin });
  }
  return new ArgusError(configInvalid, { message, details: { file, problems: listed }, ...origin });
}

function toConfigProblem({ path, isIncompatible: _, ...rest }: Problem, findLine: FindLine): ConfigProblem {
  const line = rest.line ?? findLine(path);
  return { path: formatPath(path), ...rest, ...(line === undefined ? {} : { line }) };
}

/** In the order of the file; what has no line stays where it is, at the end. */
function byLine(left: ConfigProblem, right: ConfigProblem): number {
  if (left.line === right.line) return 0;
  return (left.line ?? Number.POSITIVE_INFINITY) - (right.line ?? Number.POSITIVE_INFINITY);
}
