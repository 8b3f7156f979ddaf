import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

/** Something of this project whose run is over is still there. */
export const orphanDetected = defineErrorCode({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'A run that is over has left something behind',
  suggestedActions: ['orphans.clean'],
  details: () =>
    z.object({
      type: z.enum(['container', 'network', 'volume', 'process']),
      name: z.string(),
      id: z.string(),
      /** In ISO format. */
      createdAt: z.string(),
      project: z.string(),
      runId: z.string(),
      /** The folder that the run was started in. */
      worktree: z.string(),
      runtime: z.string(),
      service: z.string().optional(),
      /** Why its run counts as over. */
      why: z.string(),
    }),
});
