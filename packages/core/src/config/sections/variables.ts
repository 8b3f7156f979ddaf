import * as z from 'zod';
import { controlCharacters } from './control-characters.js';
import { shared } from './shared.js';
import { text } from './text.js';

const value = () =>
  z
    .union([z.string(), z.number(), z.boolean()], { error: 'expected a string, a number, or true or false' })
    .transform(String);

const variable = () =>
  z.string().regex(new RegExp(`^[^\\s=${controlCharacters}]+$`), {
    error: 'cannot be the name of a variable, which has no spaces and no equals sign',
  });

/** Names with values that end up as text. */
export const texts = shared(() => z.record(text(), value()).prefault({}));

/** Environment variables and what is handed over in the same way. */
export const variables = shared(() => z.record(variable(), value()).prefault({}));

const header = () =>
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'cannot be the name of a header' });
const headerValue = () =>
  value().refine((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text), {
    error: 'must be one line of characters that a header can have, without control characters',
  });

/** The headers of an HTTP message. */
export const headers = shared(() => z.record(header(), headerValue()).prefault({}));
