import * as z from 'zod';
import { text } from './text.js';

/** The `project` section. */
export const projectSchema = z
  .strictObject({
    name: text()
      .regex(/^\P{Cc}*$/u, { error: 'must have no line breaks or control characters' })
      .optional()
      .describe("The project's name. Left out: the name in package.json, or that of the folder."),
  })
  .prefault({})
  .describe('What this project is called.');
