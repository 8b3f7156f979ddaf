import * as z from 'zod';
import type { StructuredError } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';
import type { RecoveryPlan } from '../model/recovery-plan.js';
import type { RecoveryReport } from '../model/recovery-report.js';
import type { RecordedRepair } from '../recover/recorded-repairs.js';

// Built when they are first looked at: most commands only run an operation and never ask for its schema.
const jsonObject = z.lazy(() => z.record(z.string(), z.unknown()));

/** The schema of a `StructuredError`. */
export const structuredErrorSchema = z.lazy(() =>
  z.object({
    code: z.string().describe('What kind of problem it is'),
    category: z.enum(['infrastructure', 'container', 'network', 'system']).describe('Where the problem lies'),
    severity: z.enum(['fatal', 'recoverable', 'warning']).describe('How bad it is'),
    message: z.string().describe('The problem in one line'),
    details: jsonObject.describe('What was measured and found'),
    suggestedActions: z.array(z.string()).describe('Recoverers and operations that help, best first'),
    timestamp: z.number().describe('Milliseconds since the epoch'),
  }),
);

const checkResult = z.lazy(() =>
  z.object({
    name: z.string().describe('The checker'),
    plugin: z.string().describe('The plugin that brought it'),
    target: z.string().optional().describe('Which of several things it looked at'),
    status: z
      .enum(['pass', 'warn', 'fail', 'unknown', 'skipped'])
      .describe('`unknown` means that it could not be told'),
    message: z.string(),
    details: jsonObject,
    duration: z.number().describe('Milliseconds'),
    error: structuredErrorSchema.optional(),
    causedBy: z
      .string()
      .optional()
      .describe('The check whose result made this one pointless, or explains it'),
    causedByTarget: z.string().optional().describe('Which of the things of that check'),
  }),
);

/** The schema of a `HealthReport`. */
export const healthReportSchema = z.lazy(() =>
  z.object({
    project: z.string(),
    overall: z.enum(['healthy', 'degraded', 'unhealthy']),
    checks: z.array(checkResult),
    timestamp: z.number().describe('Milliseconds since the epoch'),
    duration: z.number().describe('Milliseconds'),
    notices: z.array(structuredErrorSchema).describe('What went wrong beside the checks'),
    additions: jsonObject.describe('What plugins added'),
  }),
);

const findingReference = z.lazy(() =>
  z.object({
    check: z.string(),
    target: z.string().optional(),
    code: z.string(),
  }),
);

const plannedStep = z.lazy(() =>
  z.object({
    recoverer: z.string().describe('Who would do it'),
    risk: z.enum(['safe', 'disruptive', 'destructive']),
    target: z.string().describe('The exact resource'),
    service: z.string().optional().describe('The service that it is, where it is one'),
    action: z.string().describe('What happens to it'),
    description: z.string(),
    reversible: z.boolean().describe('Whether it can be undone'),
    resolves: z.array(z.string()).optional(),
    data: jsonObject.optional(),
    findings: z.array(findingReference).describe('What it is meant to resolve'),
  }),
);

/** The schema of a `RecoveryPlan`. */
export const recoveryPlanSchema = z.lazy(() =>
  z.object({
    project: z.string(),
    hash: z.string().nullable().describe('Names this exact plan; null when there is nothing to do'),
    steps: z.array(plannedStep),
    unhandled: z
      .array(
        findingReference.unwrap().extend({
          reason: z.string().optional(),
          where: jsonObject.optional().describe('Where in the configuration the cause is'),
        }),
      )
      .describe('Problems that no loaded recoverer has a step for'),
    notices: z.array(structuredErrorSchema),
  }),
);

/** The schema of a `StepOutcome`. */
export const stepOutcomeSchema = z.lazy(() =>
  plannedStep.unwrap().extend({
    outcome: z
      .enum(['planned', 'applied', 'refused', 'failed', 'not-needed', 'interrupted'])
      .describe('`interrupted` had begun when it was cancelled, and may be partly done'),
    refusal: z.object({ rule: z.string(), reason: z.string() }).optional(),
    error: structuredErrorSchema.optional(),
    evidence: jsonObject.optional().describe('What was kept before the resource was touched'),
    verdict: z
      .enum(['recovered', 'ineffective', 'worse'])
      .optional()
      .describe('What the check afterwards says'),
  }),
);

/** The schema of a `RecordedRepair`. */
export const recordedRepairSchema = z.lazy(() =>
  stepOutcomeSchema
    .unwrap()
    .omit({ description: true, reversible: true, resolves: true, data: true, outcome: true })
    .extend({
      at: z.number().describe('When it began or was refused, in milliseconds since the epoch'),
      endedAt: z.number().nullable().describe('Null when no end is written down'),
      outcome: z
        .enum(['planned', 'applied', 'refused', 'failed', 'not-needed', 'interrupted', 'open'])
        .describe('`open` goes on, or whoever did it was killed, so that it may be partly done'),
    }),
);

/** The schema of a `RecoveryReport`. */
export const recoveryReportSchema = z.lazy(() =>
  z.object({
    plan: recoveryPlanSchema,
    dryRun: z.boolean(),
    before: healthReportSchema,
    after: healthReportSchema,
    steps: z.array(stepOutcomeSchema),
  }),
);

// The interfaces and these schemas say the same; the compiler holds them to it.
true satisfies Same<z.output<typeof structuredErrorSchema>, StructuredError>;
true satisfies Same<z.output<typeof healthReportSchema>, HealthReport>;
true satisfies Same<z.output<typeof recoveryPlanSchema>, RecoveryPlan>;
true satisfies Same<z.output<typeof recoveryReportSchema>, RecoveryReport>;
true satisfies Same<z.output<typeof recordedRepairSchema>, RecordedRepair>;

type Same<Schema, Interface> = Interface extends Loose<Schema> ? true : never;
type Loose<Type> = Type extends (infer Item)[]
  ? readonly Loose<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Loose<Type[Key]> | undefined }
    : Type;
