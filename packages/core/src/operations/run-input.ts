import * as z from 'zod';

/** The input that names a run, for operations that take that of their folder without it. */
export function runInput(use: string) {
  return z.string().min(1).optional().describe(`${use} (default the one of this folder)`);
}
