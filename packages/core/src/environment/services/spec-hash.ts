import { createHash } from 'node:crypto';
import { canonicalJson } from '../../model/canonical-json.js';
import type { ServiceSpec } from './service-spec.js';
import type { Surroundings } from './surroundings.js';

/**
 * Names what a service is started from, its built image and its surroundings included. A service whose hash changes must be
 * replaced.
 */
export function specHash(service: ServiceSpec, build?: string, surroundings: Surroundings = {}): string {
  const text = canonicalJson({ service, build, ...surroundings });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
