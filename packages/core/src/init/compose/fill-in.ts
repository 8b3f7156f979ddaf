import { leaveOut, partOf } from '../leave-out.js';
import { interpolate } from './interpolate.js';

/** What people are told when a value has none of its own. */
const why = 'has no default; write the value here if it is no secret';

/**
 * A service of Compose with the defaults of its variables, and notes on what had none. An image stays as it is, so that it can be said
 * why its service is left out.
 */
export function fillIn(service: unknown): { service: unknown; notes: string[] } {
  const notes = new Set<string>();
  const gone: (readonly PropertyKey[])[] = [];
  const walk = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]),
      );
    }
    if (typeof value !== 'string' || !value.includes('$')) return value;
    const { text, defaulted, missing } = interpolate(value);
    for (const one of defaulted) notes.add(`${one} has become its default`);
    if (missing.length === 0) return text;
    const part = path[0] === 'image' ? [] : partOf(path);
    if (part.length > 0) gone.push(part);
    const what = part.length > 0 ? `left out: ${shown(part, value)}, because` : 'image:';
    notes.add(`${what} ${missing.join(' and ')} ${why}`);
    return value;
  };
  const filled = walk(service, []);
  // From the end, so that those before keep their places.
  return { service: gone.reverse().reduce(leaveOut, filled), notes: [...notes] };
}

function shown([key, member]: readonly PropertyKey[], value: string): string {
  if (member === undefined) return String(key);
  return `${String(key)}: ${typeof member === 'number' ? value.replace(/=.*/s, '') : String(member)}`;
}
