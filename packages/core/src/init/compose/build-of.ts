import { property } from '../../model/property.js';
import { variablesOf } from './variables-of.js';

const known = ['context', 'dockerfile', 'args', 'target'];

/** How an image is built, as far as it can be said here. */
export function buildOf(build: unknown): { build?: unknown; notes: string[] } {
  if (typeof build !== 'object' || build === null)
    return build === undefined ? { notes: [] } : { build, notes: [] };
  const { variables, withoutValue } = variablesOf(property(build, 'args'));
  const others = Object.keys(build).filter((key) => !known.includes(key) && !key.startsWith('x-'));
  const parts = known
    .filter((key) => key !== 'args' && property(build, key) !== undefined)
    .map((key) => [key, property(build, key)]);
  const args = Object.keys(variables).length > 0 ? { args: variables } : {};
  return {
    build: { ...Object.fromEntries(parts), ...args },
    notes: [
      ...others.map((key) => `left out: build.${key}: there is nothing like it here`),
      ...withoutValue.map((name) => `left out: build.args.${name}: it has no value in the file`),
    ],
  };
}
