import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/canonical-json.js';
import type { ServiceSpec } from './service-spec.js';

/** Names what a service is started from. A service whose hash changes must be replaced. */
export function specHash(service: ServiceSpec): string {
  return createHash('sha256').update(canonicalJson(service)).digest('hex').slice(0, 16);
}
