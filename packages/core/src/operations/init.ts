import * as z from 'zod';
import { configJsonSchema } from '../config/json-schema.js';
import { initProject } from '../init/init-project.js';
import { defineOperation, harmlessDryRun } from '../model/operation.js';

/** Writes a first configuration from what is in the folder. */
export const init = defineOperation({
  name: 'init',
  summary: 'Write argus.config.yaml from what is in this folder',
  description:
    'Looks at a Compose file, a Dockerfile and the scripts of package.json, and writes a configuration with comments, and the schema ' +
    'that editors read beside it. Where there is an e2e.yaml, also one of ArgusAI, it is made from that alone; e2e.yaml stays as it is and ' +
    'no longer counts. What could not be carried over is said in the file. Any other configuration that is there is never touched.',
  guidance: 'Call it when there is no configuration yet. Next: {preflight-check}.',
  input: z.lazy(() =>
    z.strictObject({
      dryRun: z.boolean().default(false).describe('Only show what would be written'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      file: z.string(),
      schema: z.string().describe('The schema for editors; argus schema prints a newer one'),
      schemaState: z
        .enum(['new', 'renewed', 'kept'])
        .describe('An older one of argus is renewed, one that somebody else wrote is kept'),
      written: z.boolean(),
      found: z.array(
        z.object({ kind: z.enum(['e2e', 'compose', 'dockerfile', 'package.json']), file: z.string() }),
      ),
      services: z.array(z.object({ name: z.string(), from: z.string() })),
      suites: z.array(z.string()),
      notes: z.array(z.string()).describe('What was not carried over, and why'),
      text: z.string().optional().describe('What would be written, without what looks like a secret'),
    }),
  ),
  effects: { readOnly: false, destructive: false, idempotent: false },
  effectsOf: harmlessDryRun,
  needsConfig: false,
  run: ({ dryRun }, { kernel }) => initProject(kernel.project.dir, configJsonSchema(kernel.plugins), dryRun),
});
