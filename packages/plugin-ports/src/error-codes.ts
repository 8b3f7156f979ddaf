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
  causes: [
    'Other programs and live runs hold every port of the range.',
    'The range in the options of the plugin ports is very small.',
  ],
  remedy: 'Take down environments that you no longer need, or widen the range.',
  // What gives ports back; names of plugins and operations that may not be loaded are left out by the kernel.
  suggestedActions: ['clean', 'orphans.clean', 'status'],
  details: () =>
    z.object({
      service: z.string().describe('The service or mock that asks for it'),
      port: z.number().describe('The port that it asked for'),
      protocol: z.enum(['tcp', 'udp']).describe('How the port is used'),
      tried: z.number().describe('How many ports were tried'),
      range: z.string().describe('Where they were looked for: `20000-29999`'),
    }),
});
