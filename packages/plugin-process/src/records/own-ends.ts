import type { End } from './process-records.js';
import type { Sighting } from './sighting.js';

/** How a service has ended by itself, oldest first. Work that is done is no such end. */
export function ownEnds({ record, state }: Pick<Sighting, 'record' | 'state'>): End[] {
  return (state?.events ?? [])
    .filter(({ type, requested }) => type === 'exited' && !requested)
    .map(({ at, exitCode = 0 }) => ({ at, exitCode }))
    .filter(({ exitCode }) => !record.oneShot || exitCode !== 0);
}
