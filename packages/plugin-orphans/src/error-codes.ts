import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

/** Something of this project whose run is over is still there. */
export const orphanDetected = defineErrorCode({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'A run that is over has left something behind',
  causes: [
    'A run was killed before it could take down what it had started.',
    'The lease of an environment that nobody used has run out.',
  ],
  handling: 'Unless resilience.preflight.cleanOrphans is off, setup removes it first.',
  remedy: 'Let argus remove it; what belongs to a live run is never touched.',
  suggestedActions: ['orphans.clean'],
  details: () =>
    z.object({
      type: z.enum(['container', 'network', 'volume', 'process']),
      name: z.string(),
      id: z.string(),
      createdAt: z.string().describe('In ISO format'),
      project: z.string(),
      runId: z.string(),
      worktree: z.string().describe('The folder that the run was started in'),
      runtime: z.string(),
      service: z.string().optional(),
      why: z.string().describe('Why its run counts as over'),
    }),
});

/** Something of this project is there, and nobody knows any more whether its run goes on. */
export const runRecordLost = defineErrorCode({
  code: 'RUN_RECORD_LOST',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'The record of a run was lost, and something of it is still there',
  causes: ['The state file was damaged while the environment was up, and a new one was begun.'],
  handling: 'It removes nothing of it by itself, because somebody may still work with it.',
  remedy: 'Run argus clean in the folder of the run, or name it to argus clean-foreign; then set up again.',
  suggestedActions: ['clean', 'clean-foreign'],
  details: () =>
    z.object({
      type: z.enum(['container', 'network', 'volume', 'process']),
      name: z.string(),
      id: z.string(),
      createdAt: z.string().describe('In ISO format'),
      project: z.string(),
      runId: z.string(),
      worktree: z.string().describe('The folder that the run was started in'),
      runtime: z.string(),
      service: z.string().optional(),
      names: z.array(z.string()).optional().describe('What argus clean-foreign knows it by'),
    }),
});
