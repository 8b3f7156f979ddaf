import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';

/** The part of a configuration under a dotted path, such as `services.api`, in its place. */
export function narrow(config: object, only: string): object {
  return along(config, only.split('.'), []);
}

function along(value: object, [key = '', ...rest]: readonly string[], path: readonly string[]): object {
  const inner: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  if (inner === undefined) throw unknown(value, key, path);
  if (rest.length === 0) return { [key]: inner };
  const object = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  return { [key]: along(object, rest, [...path, key]) };
}

function unknown(value: object, key: string, path: readonly string[]): ArgusError {
  const known = Object.keys(value).map((name) => [...path, name].join('.'));
  const asked = [...path, key].join('.');
  const suggestion = nearest(asked, known);
  const others = known.length === 0 ? 'there is nothing below it' : `there are ${known.join(', ')}`;
  return new ArgusError(usageInvalid, {
    message: `The configuration has no ${asked}; ${suggestion === undefined ? others : `did you mean ${suggestion}?`}`,
    details: { only: asked, known, ...(suggestion === undefined ? {} : { suggestion }) },
  });
}
