import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

/** Something of this project whose run is over is still there. */
export const orphanDetected = defineErrorCode({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'A run that is over has left something behind',
  causes: [
    'A run was killed before it could take down what it had started, or end the tests that it ran.',
    'The lease of an environment that nobody used has run out.',
  ],
  handling: 'Unless resilience.preflight.cleanOrphans is off, setup removes it first.',
  remedy: 'Let argus remove it; what belongs to a live run is never touched.',
  suggestedActions: ['orphans.clean'],
  details: () =>
    z.object({
      type: z.enum(['container', 'network', 'volume', 'process']).describe('What kind of thing it is'),
      name: z.string().describe('What it is called'),
      id: z.string().describe('What its runtime knows it by'),
      createdAt: z.string().describe('In ISO format'),
      project: z.string().describe('The project whose it is'),
      runId: z.string().describe('The run that made it'),
      worktree: z.string().describe('The folder that the run was started in'),
      runtime: z
        .string()
        .describe(
          'The runtime that has it, `docker` or `process`; `argus` for a command that argus run has left',
        ),
      service: z.string().optional().describe('The service or suite that it is of, if of one'),
      pid: z.number().optional().describe('The number of its process, for a command that argus run has left'),
      why: z.string().describe('Why its run counts as over'),
    }),
});
