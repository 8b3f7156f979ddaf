import { duration, size } from '@argusai/core';
import * as z from 'zod';

/** The options of the plugin. */
export const options = z.strictObject({
  dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where the output of processes and what is known of them is kept, absolute or from the folder of the project. ' +
        'Left out: `processes` in the folder of the state.',
    ),
  outputSize: size()
    .default('10MB')
    .describe('How large a file of output may grow before the next is begun.'),
  outputFiles: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(4)
    .describe('How many files of output are kept for each service.'),
  crashes: z
    .number()
    .int()
    .min(2)
    .max(50)
    .default(3)
    .describe(
      'Ending by itself so often in the time of `crashWindow` is called a crash loop, also when it was set up anew in between.',
    ),
  crashWindow: duration().default('5m').describe('The time in which `crashes` are counted.'),
});
