import { formatPath, parsePath } from '../config/path.js';
import { valueAt } from '../config/shown-value.js';
import { type ConfigPlace, describePlace, placeIn } from '../model/config-place.js';
import type { StructuredError } from '../model/error-code.js';
import { toJson } from '../model/json.js';
import type { Kernel } from './kernel.js';
import { present } from './present.js';

/** A problem with the file, the line and the value of what causes it, also in its message. */
export async function locate<Problem extends StructuredError>(
  kernel: Kernel,
  problem: Problem,
): Promise<Problem> {
  const named = placeIn(problem.details);
  if (!named) return problem;
  const where = named.from === undefined ? present(kernel, await found(kernel, named)) : named;
  const because =
    where.effect === undefined ? '' : `; ${where.effect} because ${describePlace(where, kernel.project.dir)}`;
  const message = problem.message.includes(because) ? problem.message : `${problem.message}${because}`;
  return { ...problem, message, details: { ...problem.details, where } };
}

async function found({ origin, config }: Kernel, named: ConfigPlace): Promise<ConfigPlace> {
  const path = parsePath(named.key);
  const written = valueAt(origin.raw, path);
  // Only where there is a problem: it makes every schema.
  const { writtenDefaults } = await import('../config/written-defaults.js');
  const value = written ?? writtenDefaults()(path) ?? valueAt(config, path);
  const line = (await origin.findLine())(path);
  return {
    ...named,
    key: formatPath(path),
    ...(value === undefined ? {} : { value: toJson(value) as ConfigPlace['value'] }),
    from: written === undefined && value !== undefined ? 'default' : 'file',
    ...(origin.file === null ? {} : { file: origin.file }),
    ...(line === undefined ? {} : { line }),
  };
}
