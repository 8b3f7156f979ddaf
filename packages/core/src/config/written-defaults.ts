import * as z from 'zod';
import { configSchema } from './schema.js';

type Schema = z.core.JSONSchema.BaseSchema;

/** Finds the default at a path of the configuration as a user would write it: `2s`, not 2000. */
export function writtenDefaults(): (path: readonly (string | number)[]) => unknown {
  const root = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref === undefined ? schema : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  return (path) => {
    let schema: Schema | undefined = root;
    for (const key of path) schema = resolve(below(schema, key));
    return schema?.default;
  };
}

/** The schema of what is below a key: a property of its own, or what all others have in common. */
function below(schema: Schema | undefined, key: string | number): Schema | undefined {
  const { properties, additionalProperties, items } = schema ?? {};
  const found = typeof key === 'number' ? items : (properties?.[key] ?? additionalProperties);
  return typeof found === 'object' && !Array.isArray(found) ? found : undefined;
}
