import * as z from 'zod';
import type { Incident } from '../guardian/incidents/incident.js';
import { structuredErrorSchema } from './report-schemas.js';

const jsonObject = z.lazy(() => z.record(z.string(), z.unknown()));

const evidence = z.lazy(() =>
  z.object({
    at: z.number().describe('Milliseconds since the epoch'),
    status: z.enum(['running', 'exited', 'missing']),
    exitCode: z.number().nullable(),
    oomKilled: z.boolean(),
    memory: z.object({ limit: z.number().nullable(), peak: z.number().nullable() }).describe('Bytes'),
    startedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    lines: z
      .array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string(), at: z.number().optional() }))
      .readonly()
      .describe('The last lines of both streams, in order'),
    health: z.array(z.string()).readonly().describe('What the health check said last'),
    details: jsonObject,
    diagnosis: jsonObject.describe('What plugins found out, such as network and dns'),
    suggestedActions: z.array(z.string()).readonly().optional().describe('What plugins think would help'),
    gaps: z.array(z.string()).readonly().describe('What could not be gathered'),
  }),
);

const restart = z.lazy(() =>
  z.object({
    attempt: z.number(),
    at: z.number(),
    reason: z.string(),
    code: z.string().describe('The code of the failure that it answers'),
    delayMs: z.number(),
    evidence,
    verdict: z.enum(['pending', 'healthy', 'failed', 'not-needed', 'unknown']),
    repaired: z.array(z.string()).readonly().optional().describe('What plugins put right before it'),
    withoutRestart: z.literal(true).optional().describe('That was enough: it was a repair, and no restart'),
    durationMs: z.number().optional().describe('Until the service was healthy'),
  }),
);

const common = () => ({
  service: z.string(),
  runId: z.string(),
  worktree: z.string().optional().describe('The folder that the run was set up in'),
  startedAt: z.number().describe('Milliseconds since the epoch'),
  suite: z.string().optional().describe('The test suite that ran when it began'),
  error: structuredErrorSchema,
  restarts: z.array(restart).readonly(),
  refusal: z.string().optional().describe('Why nothing, or nothing more, was done'),
  evidence: evidence.optional().describe('Of the failure that no restart answers'),
});

const outcomes = ['recovered', 'exhausted', 'observed', 'interrupted'] as const;

/** The schema of an `Incident`. */
export const incidentSchema = z.lazy(() =>
  z.object({ ...common(), endedAt: z.number(), outcome: z.enum(outcomes) }),
);

/** The schema of a `ToldIncident`: an incident that may still go on. */
export const toldIncidentSchema = z.lazy(() =>
  z.object({ ...common(), endedAt: z.number().nullable(), outcome: z.enum([...outcomes, 'open']) }),
);

// The interface and the schema name the same parts; the compiler holds them to it.
true satisfies keyof Incident extends keyof z.output<typeof incidentSchema>
  ? keyof z.output<typeof incidentSchema> extends keyof Incident
    ? true
    : never
  : never;
