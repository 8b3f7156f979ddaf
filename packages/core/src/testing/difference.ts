import type { Json } from '../model/json.js';

/** Where two JSON values first differ, as `path: this, then that`, or nothing when they are the same. */
export function differenceOf(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): string | undefined {
  if (!isComposite(before) || !isComposite(after) || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? undefined : `${path || 'it'}: ${show(before)}, then ${show(after)}`;
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    const difference = differenceOf(before[key], after[key], path === '' ? key : `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isComposite(value: Json | undefined): value is { [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null;
}

function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
