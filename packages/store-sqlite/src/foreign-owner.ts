import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whom the nearest folder of a path belongs to that can be looked at, where that is somebody else: after a `sudo -E`, what it made in
 * the home folder is root's.
 */
export function foreignOwner(path: string, user = process.getuid?.()): string | undefined {
  if (user === undefined) return undefined;
  for (let place = path; ; place = dirname(place)) {
    const found = statOf(place);
    if (found)
      return found.uid === user
        ? undefined
        : `${place} belongs to ${found.uid === 0 ? 'root' : `the user ${found.uid}`}`;
    if (place === dirname(place)) return undefined;
  }
}

function statOf(place: string): Stats | undefined {
  try {
    return statSync(place);
  } catch {
    // Not there, or behind what may not be looked into: then the folder above tells.
    return undefined;
  }
}
