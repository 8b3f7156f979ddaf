import type { Surroundings } from '../session/session.js';
import type { Offer } from './offer.js';

/** What is served to every client, over whatever transport. */
export interface Serving extends Pick<Surroundings, 'version' | 'readOnly' | 'log'> {
  readonly offer: Offer;
}
