import type { Risk } from '../../model/recoverer.js';
import type { Autonomy } from './settings.js';

/** What argus may risk by itself at each level of autonomy, from the lowest to the highest. */
export const allowedRisks: Readonly<Record<Autonomy, readonly Risk[]>> = {
  observe: [],
  cautious: ['safe'],
  moderate: ['safe', 'disruptive'],
  full: ['safe', 'disruptive', 'destructive'],
};
