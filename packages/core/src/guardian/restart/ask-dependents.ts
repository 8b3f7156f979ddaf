import type { StructuredError } from '../../model/error-code.js';
import type { Watch } from '../guarded.js';

/** Has those that need a service look whether they still work, or restarts them if they say so. */
export function askDependents(
  watch: Watch,
  name: string,
  before: readonly string[],
  error: StructuredError,
): void {
  const path = [...before, name];
  for (const guarded of watch.guarded) {
    if (path.includes(guarded.name)) continue;
    const { restartWith, dependsOn } = guarded.service;
    if (restartWith.includes(name)) guarded.ask({ action: 'restart', path, error });
    else if (dependsOn.includes(name)) guarded.ask({ action: 'verify', path, error });
  }
}
