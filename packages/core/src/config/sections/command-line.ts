import * as z from 'zod';
import { shared } from './shared.js';
import { text } from './text.js';

/** A command, as one line or as a list of arguments. */
export const commandLine = shared(() =>
  z.union([text().regex(/\S/), z.array(z.string()).min(1)], {
    error: 'expected a command line or a list of arguments',
  }),
);
