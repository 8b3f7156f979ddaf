import * as z from 'zod';

/** A command, as one line or as a list of arguments. */
export function commandLine() {
  return z.union([z.string().min(1), z.array(z.string()).min(1)], {
    error: 'expected a command line or a list of arguments',
  });
}
