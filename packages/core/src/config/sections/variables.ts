import * as z from 'zod';
import { shared } from './shared.js';
import { text } from './text.js';

const value = () =>
  z
    .union([z.string(), z.number(), z.boolean()], { error: 'expected a string, a number, or true or false' })
    .transform(String);

/** Names with values that end up as text, such as environment variables. */
export const variables = shared(() => z.record(text(), value()).prefault({}));
