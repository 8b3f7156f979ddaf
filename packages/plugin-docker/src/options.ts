import { duration, size } from '@argusai/core';
import * as z from 'zod';

/** The options of the plugin. */
export const options = z.strictObject({
  timeout: duration()
    .default('5s')
    .describe('How long the daemon may take to answer a simple question before it counts as hung.'),
  reclaimable: size()
    .default('10GB')
    .describe('From here on, what Docker keeps and nothing uses is a warning.'),
});
