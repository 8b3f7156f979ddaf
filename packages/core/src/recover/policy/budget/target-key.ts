import { createHash } from 'node:crypto';
import type { Takes } from './spend.js';

// No target has such a name by chance.
const hashed = /^#[\w-]{43}$/;

/**
 * The name under which a target is remembered. Its own may have a secret in it. Without that secret two targets could have the same
 * name, and which secrets are known depends on the process, so that each would count by itself.
 */
export function targetKey(target: string): string {
  return `#${createHash('sha256').update(target).digest('base64url')}`;
}

/** What is remembered, under such names only: older versions have written the targets themselves. The very object that was given when they have not. */
export function withTargetKeys(takes: Takes): Takes {
  const names = Object.keys(takes);
  if (names.every((name) => hashed.test(name))) return takes;
  const merged = new Map<string, number[]>();
  for (const [name, times] of Object.entries(takes)) {
    const key = hashed.test(name) ? name : targetKey(name);
    merged.set(key, [...(merged.get(key) ?? []), ...times]);
  }
  return Object.fromEntries([...merged].map(([key, times]) => [key, times.toSorted((a, b) => a - b)]));
}
