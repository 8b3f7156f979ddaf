import * as z from 'zod';
import { reservedName } from '../unusable-texts.js';
import { shared } from './shared.js';
import { text } from './text.js';
import { wholeNumber } from './whole-number.js';

/** The name of a service or a mock. It becomes a host name inside the environment. */
export const serviceName = z
  .string()
  // Both cases written out: a JSON Schema has no flags.
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, {
    error: 'must start with a letter or a digit and go on with letters, digits, dots, dashes or underscores',
  })
  .refine((name) => !(name in Object.prototype), { error: ({ input }) => reservedName(String(input)) });

/** Names of services or mocks; whether they exist is checked where both are known. */
export const serviceNames = shared(() => z.array(text()).prefault([]));

/** A TCP or UDP port. */
export const portNumber = shared(() => wholeNumber().min(1).max(65_535));
