import * as z from 'zod';

/** The `project` section. */
export const projectSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe("The project's name. Left out: the name in package.json, or that of the folder."),
  })
  .prefault({})
  .describe('What this project is called.');
