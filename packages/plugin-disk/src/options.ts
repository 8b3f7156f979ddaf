import { size } from '@argusai/core';
import * as z from 'zod';

/** The options of the plugin. */
export const options = z.strictObject({
  threshold: size()
    .optional()
    .describe(
      'Free space that every filesystem should have: below it is a warning, below half of it a failure. ' +
        'Left out, resilience.preflight.diskSpaceThreshold applies.',
    ),
  inodes: z
    .number()
    .min(0)
    .max(100)
    .default(5)
    .describe('Free inodes in percent: below it is a warning, below half of it a failure.'),
  paths: z
    .array(z.string().min(1))
    .default([])
    .describe('More folders to look at, absolute or from the folder of the project.'),
});
