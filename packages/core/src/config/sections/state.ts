import * as z from 'zod';
import { text } from './text.js';

/** The `state` section. */
export const stateSchema = z
  .strictObject({
    dir: text()
      .optional()
      .describe("The folder, relative to the project's. Left out: one per user and machine."),
  })
  .prefault({})
  .describe('Where argus remembers runs, circuits and repairs.');
