import * as z from 'zod';
import { oneLine } from './control-characters.js';
import { text } from './text.js';

/** The `project` section. */
export const projectSchema = z
  .strictObject({
    name: text()
      .regex(oneLine, { error: 'must have no line breaks or control characters' })
      .optional()
      .describe("The project's name. Left out: the name in package.json, or that of the folder."),
  })
  .prefault({})
  .describe('What this project is called.');
