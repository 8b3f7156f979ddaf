import { property } from '../../model/property.js';
import { listOf } from './list-of.js';

/** What a service waits for. */
export interface Dependencies {
  readonly dependsOn: readonly string[];
  /** Those that it is restarted with. */
  readonly restartWith: readonly string[];
  /** Those that must have come to their end. */
  readonly ended: readonly string[];
}

/** What a service of Compose waits for, as a list of names or as a map with conditions. */
export function dependenciesOf(value: unknown): Dependencies {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { dependsOn: listOf(value).map(String), restartWith: [], ended: [] };
  }
  const entries = Object.entries(value);
  const having = (key: string, wanted: unknown) =>
    entries.filter(([, how]) => property(how, key) === wanted).map(([name]) => name);
  return {
    dependsOn: entries.map(([name]) => name),
    restartWith: having('restart', true),
    ended: having('condition', 'service_completed_successfully'),
  };
}
