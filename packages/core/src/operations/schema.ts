import * as z from 'zod';
import { configJsonSchema, type JsonSchema } from '../config/json-schema.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';

/** The JSON Schema of the configuration, for editors and for agents that write one. */
export const schema = defineOperation({
  name: 'schema',
  summary: 'Print the JSON Schema of the configuration',
  description: 'Covers every built-in section and the options of the plugins that are loaded here.',
  guidance:
    'Call it before you write or change the configuration: first as it is for what sections there are, then with the ' +
    'section that you need.',
  input: z.lazy(() =>
    z.strictObject({
      section: z.string().optional().describe('Only this section, such as services'),
      outline: z.boolean().default(false).describe('Only what sections there are, and what each is for'),
    }),
  ),
  output: z.lazy(() => z.record(z.string(), z.unknown())),
  effects: { readOnly: true, destructive: false, idempotent: true },
  needsConfig: 'or-plugins',
  async run({ section, outline }, { kernel }) {
    const whole = configJsonSchema(kernel.plugins);
    if (section !== undefined) return partOf(whole, section);
    return outline ? outlineOf(whole) : whole;
  },
});

/** The schema of one section, in its place. */
function partOf({ properties = {}, ...rest }: JsonSchema, section: string): JsonSchema {
  const part = Object.hasOwn(properties, section) ? properties[section] : undefined;
  if (part !== undefined) return { ...rest, properties: { [section]: part } };
  const known = Object.keys(properties);
  const suggestion = nearest(section, known);
  const hint = suggestion === undefined ? `there are ${known.join(', ')}` : `did you mean ${suggestion}?`;
  throw new ArgusError(usageInvalid, {
    message: `There is no section ${section}; ${hint}`,
    details: { section, known },
  });
}

/** A schema that allows all that the whole one does and more: it says of each section only what it is. */
function outlineOf({ properties = {}, $defs: _, ...rest }: JsonSchema): JsonSchema {
  const sections = Object.entries(properties).map(([name, part]) => {
    const { type, description } = part as JsonSchema;
    return [name, { ...(type === undefined ? {} : { type }), ...(description ? { description } : {}) }];
  });
  const title = `${rest.title}, in outline: each section has a schema of its own`;
  return { ...rest, title, properties: Object.fromEntries(sections) };
}
