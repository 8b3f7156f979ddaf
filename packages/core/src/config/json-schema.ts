import * as z from 'zod';
import type { LoadedPlugin } from '../model/plugin.js';
import { specifierOf } from './plugin-specifier.js';
import { configSchema } from './schema.js';

/** A JSON Schema, as plain data. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of configuration files, for editors: every section and the options of the loaded plugins. */
export function configJsonSchema(plugins: readonly LoadedPlugin[]): JsonSchema {
  const { properties = {}, ...rest } = toSchema(configSchema);
  const items = pluginItems(plugins);
  const section = { ...(properties.plugins as JsonSchema), items };
  const title = 'Configuration of argus';
  return { ...rest, title, properties: { ...properties, plugins: section } };
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function pluginItems(plugins: readonly LoadedPlugin[]): JsonSchema {
  // What is part of argus itself or given as an object has no name that could be written in a file.
  const named = plugins.filter(({ source }) => source !== 'code' && source !== 'core');
  const names = named.map(specifierOf);
  const name = {
    type: 'string',
    minLength: 1,
    description: 'The name of a package, or a path that begins with a dot.',
    examples: names,
  } as const;
  const others = { ...name, not: { enum: names } };
  return {
    anyOf: [
      name,
      ...named.map((loaded) => pair({ const: specifierOf(loaded) }, optionsOf(loaded))),
      pair(others, { type: 'object', description: "The plugin's options." }),
    ],
  };
}

function pair(name: JsonSchema, options: JsonSchema): JsonSchema {
  const description = 'A plugin with its options.';
  return { type: 'array', description, prefixItems: [name, options], items: false, minItems: 2 };
}

function optionsOf({ plugin }: LoadedPlugin): JsonSchema {
  const description = `Options of the plugin ${plugin.name}.`;
  if (!plugin.options) return { type: 'object', description, maxProperties: 0 };
  try {
    const { $schema: _, ...schema } = toSchema(plugin.options);
    // References within the options count from the options, not from the whole configuration.
    const own = JSON.stringify(schema).includes('"$ref"') ? { $id: `argus-plugin-${plugin.name}` } : {};
    return { ...own, description, ...schema };
  } catch {
    // Options that JSON Schema has no words for, or of a zod too old to tell: any object will do for an editor.
    return { type: 'object', description };
  }
}
