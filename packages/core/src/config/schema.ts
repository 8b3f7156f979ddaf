import * as z from 'zod';
import { checkPlaceholders } from './check-placeholders.js';
import { checkReferences } from './references.js';
import { environmentSchema } from './sections/environment.js';
import { mocksSchema } from './sections/mocks.js';
import { pluginsSchema } from './sections/plugins.js';
import { policySchema } from './sections/policy.js';
import { always } from './sections/presence.js';
import { projectSchema } from './sections/project.js';
import { resilienceSchema } from './sections/resilience.js';
import { servicesSchema } from './sections/services.js';
import { stateSchema } from './sections/state.js';
import { testsSchema } from './sections/tests.js';

/** The whole configuration. Strict: a key it does not know is an error. An empty one is complete. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
    project: projectSchema,
    plugins: pluginsSchema,
    services: servicesSchema,
    mocks: mocksSchema,
    tests: testsSchema,
    environment: environmentSchema,
    resilience: resilienceSchema,
    policy: policySchema,
    state: stateSchema,
  })
  .superRefine(checkReferences, always)
  .superRefine(checkPlaceholders, always);

/** A validated configuration: defaults filled in, sizes in bytes, durations in milliseconds. */
export type ArgusConfig = z.output<typeof configSchema>;

/** A configuration as users write it. */
export type ArgusConfigInput = z.input<typeof configSchema>;

/** The configuration of a project that has none. */
export function defaultConfig(): ArgusConfig {
  return configSchema.parse({});
}

/** Gives editors the types of a configuration written in TypeScript or JavaScript. */
export function defineConfig(config: ArgusConfigInput): ArgusConfigInput {
  return config;
}
