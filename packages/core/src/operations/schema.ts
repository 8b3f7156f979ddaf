import * as z from 'zod';
import { configJsonSchema } from '../config/json-schema.js';
import { defineOperation } from '../model/operation.js';

/** The JSON Schema of the configuration, for editors and for agents that write one. */
export const schema = defineOperation({
  name: 'schema',
  summary: 'Print the JSON Schema of the configuration',
  description: 'Covers every built-in section and the options of the plugins that are loaded here.',
  guidance: 'Call it before you write or change the configuration, to see what is allowed.',
  input: z.lazy(() => z.strictObject({})),
  output: z.lazy(() => z.record(z.string(), z.unknown())),
  effects: { readOnly: true, destructive: false, idempotent: true },
  async run(_input, { kernel }) {
    return configJsonSchema(kernel.plugins);
  },
});
