import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/canonical-json.js';
import type { ServiceSpec } from './service-spec.js';

/** Names what a service is started from, its built image included. A service whose hash changes must be replaced. */
export function specHash(service: ServiceSpec, build?: string): string {
  return createHash('sha256').update(canonicalJson({ service, build })).digest('hex').slice(0, 16);
}
