import { duration } from '@argusai/core';
import * as z from 'zod';

/** The options of the plugin. */
export const options = z.strictObject({
  maxAge: duration()
    .default('1d')
    .describe(
      'How old something must be that another store made before clean-foreign removes it, when asked for by name.',
    ),
});
