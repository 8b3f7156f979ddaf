import * as z from 'zod';

/** The schema of a folder that is looked at, and what it is for. */
export const place = z.object({
  path: z.string(),
  use: z.enum(['project', 'temporary files', 'engine', 'configured']),
});

/** A folder that is looked at, and what it is for. */
export type Place = z.output<typeof place>;
