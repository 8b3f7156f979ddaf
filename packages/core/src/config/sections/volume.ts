import * as z from 'zod';
import { controlCharacters } from './control-characters.js';
import { shared } from './shared.js';

// A folder of this machine is told from the name of a volume by a slash in it, or by being one of these.
const source = `(?:[A-Za-z0-9][\\w.-]*|\\.\\.?|~|[^:${controlCharacters}]*/[^:${controlCharacters}]*)`;
const target = `/[^:${controlCharacters}]*`;
const syntax = new RegExp(`^(?:${source}:)?${target}(?::[a-z][\\w=,-]*)?$`);

/** One volume in Compose's short syntax. */
export const volume = shared(() =>
  z.string().regex(syntax, {
    error:
      'expected a volume such as "data:/var/lib/data", "./src:/app:ro" or "/cache", with a whole path in the container',
  }),
);
