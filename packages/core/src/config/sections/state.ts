import * as z from 'zod';

/** The `state` section. */
export const stateSchema = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .optional()
      .describe("The folder, relative to the project's. Left out: one per user and machine."),
  })
  .prefault({})
  .describe('Where argus remembers runs, circuits and repairs.');
