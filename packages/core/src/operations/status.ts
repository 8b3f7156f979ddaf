import { hostname } from 'node:os';
import * as z from 'zod';
import { statusOf } from '../environment/status-of.js';
import { defineOperation } from '../model/operation.js';

const circuit = z.object({
  name: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
  failureCount: z.number(),
  lastFailureTime: z.number().nullable(),
  lastStateTransition: z.number(),
  sinceTransition: z.number().describe('Milliseconds since the last transition'),
});

/** Says what runs, where, and how it is. */
export const status = defineOperation({
  name: 'status',
  summary: 'Show the services of this project, their health and ports, and the circuits',
  description:
    'Looks at the environment of this folder; other runs of the project are listed too. It changes nothing.',
  input: z.strictObject({}),
  output: z.object({
    project: z.string(),
    run: z
      .object({
        id: z.string(),
        state: z.enum(['starting', 'up', 'stopping']),
        alive: z.boolean(),
        owner: z.string(),
        createdAt: z.number(),
        leaseUntil: z.number(),
        leaseMs: z.number().describe('Milliseconds that are left of the lease'),
      })
      .nullable(),
    services: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['service', 'mock']),
        runtime: z.string(),
        status: z.enum(['running', 'exited', 'missing', 'unknown']),
        health: z.enum(['healthy', 'unhealthy', 'starting', 'unknown', 'none']),
        message: z.string(),
        endpoints: z.array(z.string()),
        restarts: z.number(),
        exitCode: z.number().nullable(),
        startedAt: z.number().nullable(),
      }),
    ),
    otherRuns: z.array(
      z.object({ id: z.string(), worktree: z.string(), state: z.string(), alive: z.boolean() }),
    ),
    circuits: z.array(circuit),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true },
  run: (_input, { kernel, signal }) => statusOf(kernel, hostname(), signal),
});
