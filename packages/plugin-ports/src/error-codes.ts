import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

// Also a runtime finds out that a port is taken, so core declares this one.
export { portConflict } from '@argusai/core';

/** Every port of the range in which a free one was looked for is taken. */
export const portExhaustion = defineErrorCode({
  code: 'PORT_EXHAUSTION',
  category: 'network',
  severity: 'fatal',
  summary: 'No free port is left in the range',
  // What gives ports back; names of plugins and operations that may not be loaded are left out by the kernel.
  suggestedActions: ['clean', 'orphans.clean', 'status'],
  details: () =>
    z.object({
      service: z.string(),
      /** The port that it asked for. */
      port: z.number(),
      protocol: z.enum(['tcp', 'udp']),
      /** How many ports were tried. */
      tried: z.number(),
      /** Where they were looked for: `20000-29999`. */
      range: z.string(),
    }),
});
