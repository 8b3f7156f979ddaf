import { type Json, toJson } from './json.js';

/** JSON with sorted keys: values that mean the same give the same text, in whatever order they were built. */
export function canonicalJson(value: unknown): string {
  return write(toJson(value));
}

function write(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(',')}}`;
}
