import * as z from 'zod';
import { reservedName } from '../lost-keys.js';
import { wholeNumber } from './whole-number.js';

/** The name of a service or a mock. It becomes a host name inside the environment. */
export const serviceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_.-]*$/i, {
    error: 'must start with a letter or a digit and go on with letters, digits, dots, dashes or underscores',
  })
  .refine((name) => !(name in Object.prototype), { error: ({ input }) => reservedName(String(input)) });

/** Names of services or mocks; whether they exist is checked where both are known. */
export function serviceNames() {
  return z.array(z.string().min(1)).prefault([]);
}

/** A TCP or UDP port. */
export function portNumber() {
  return wholeNumber().min(1).max(65_535);
}
