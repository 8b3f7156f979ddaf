import * as z from 'zod';
import { categories, severities } from '../model/error-code.js';

const autonomy = z.lazy(() => z.enum(['observe', 'cautious', 'moderate', 'full']));

const code = z.lazy(() => z.object({ code: z.string(), summary: z.string() }));

const codeSummary = z.lazy(() =>
  code.unwrap().extend({
    category: z.enum(categories).describe('Where the problem lies'),
    severity: z.enum(severities).describe('How bad it is'),
    plugin: z.string().describe('Which plugin declares it'),
  }),
);

const recoverer = z.lazy(() =>
  z.object({
    name: z.string(),
    plugin: z.string(),
    description: z.string().optional(),
    risk: z.enum(['safe', 'disruptive', 'destructive']),
    alone: z.boolean().describe('Whether argus may do it by itself under the configured autonomy'),
    from: autonomy.describe('The lowest autonomy that allows it'),
    afterChecks: z.number().describe('How many checks in a row must have found the problem before'),
  }),
);

const action = z.lazy(() =>
  z.object({
    name: z.string(),
    kind: z.enum(['operation', 'recoverer']),
    summary: z.string(),
    needs: z.array(z.string()).describe('The inputs that it cannot do without'),
  }),
);

const field = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    required: z.boolean().describe('Whether it is always there'),
    description: z.string().optional(),
  }),
);

const remedy = z.lazy(() => z.object({ reason: z.string(), remedy: z.string() }));

const explainedCode = z.lazy(() =>
  codeSummary.unwrap().extend({
    kind: z.literal('code'),
    causes: z.array(z.string()).describe('What it usually comes from'),
    foundBy: z.array(z.string()).describe('The loaded checkers that can give it'),
    handling: z.string().optional().describe('What argus does about it apart from its recoverers'),
    autonomy: autonomy.describe('The configured autonomy'),
    recoverers: z.array(recoverer).describe('The loaded recoverers that handle it'),
    remedy: z.string().optional().describe('What a person should do when argus does not'),
    remedies: z
      .array(remedy)
      .optional()
      .describe('The same by the reason in the details, where that differs'),
    suggestedActions: z.array(action).describe('What helps, best first'),
    details: z.array(field).describe('The fields of its details'),
    page: z.string().optional().describe('The page about it, from the folder docs of argus'),
  }),
);

const explainedChecker = z.lazy(() =>
  z.object({
    kind: z.literal('checker'),
    name: z.string(),
    plugin: z.string(),
    description: z.string().optional(),
    requires: z.array(z.string()).describe('Checkers that must not have failed'),
    ofRun: z.boolean().describe('Whether it looks at what a setup itself has made'),
    codes: z.array(code).describe('The codes that it can give'),
  }),
);

const explainedRecoverer = z.lazy(() =>
  recoverer.unwrap().extend({
    kind: z.literal('recoverer'),
    autonomy: autonomy.describe('The configured autonomy'),
    codes: z.array(code).describe('The codes that it handles'),
  }),
);

const explainedOperation = z.lazy(() =>
  z.object({
    kind: z.literal('operation'),
    name: z.string(),
    alias: z.string().optional(),
    plugin: z.string(),
    summary: z.string(),
    description: z.string().optional(),
    effects: z.object({ readOnly: z.boolean(), destructive: z.boolean(), idempotent: z.boolean() }),
    codes: z.array(code).describe('The codes that suggest it'),
  }),
);

/** The schema of an explanation. */
export const explanationSchema = z.lazy(() =>
  z.union([
    z.object({ kind: z.literal('codes'), codes: z.array(codeSummary) }),
    explainedCode,
    explainedChecker,
    explainedRecoverer,
    explainedOperation,
  ]),
);

/** An explanation, as it is shown. */
export type Explanation = z.output<typeof explanationSchema>;
