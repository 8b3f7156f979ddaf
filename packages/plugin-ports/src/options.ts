import * as z from 'zod';
import { portRange } from './port-range.js';

/** The options of the plugin. */
export const options = z.strictObject({
  range: portRange()
    .prefault('1024-65535')
    .describe('Where another port is looked for when the wished one is taken: "20000-29999".'),
});
