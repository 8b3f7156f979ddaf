import * as z from 'zod';
import { shared } from './shared.js';

/**
 * A whole number. Not zod's `int`, whose failure keeps the checks of the object around it from running, so that
 * users would not be told of all problems at once.
 */
export const wholeNumber = shared(() =>
  z.number().multipleOf(1, { error: 'expected a whole number' }).meta({ type: 'integer' }),
);
