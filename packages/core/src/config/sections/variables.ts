import * as z from 'zod';

const value = z
  .union([z.string(), z.number(), z.boolean()], { error: 'expected a string, a number, or true or false' })
  .transform(String);

/** Names with values that end up as text, such as environment variables. */
export function variables() {
  return z.record(z.string().min(1), value).prefault({});
}
