type Schema = Readonly<Record<string, unknown>>;
type Named = Readonly<Record<string, Schema>>;

/** What is in an object or in a list of them, in words: `[{name, status: up|down, ports}]`. Empty for everything else. */
export function shapeOf(given: Schema, named: Named): string {
  const schema = meant(given, named);
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (choices) {
    const shapes = choices.map((one) => shapeOf(one, named));
    return shapes.filter((shape) => shape !== '').join(' | ');
  }
  if (schema.type === 'array') {
    const inner = shapeOf((schema.items ?? {}) as Schema, named);
    return inner === '' ? '' : `[${inner}]`;
  }
  if (schema.type !== 'object' || !schema.properties) return '';
  const properties = schema.properties as Named;
  // A problem looks everywhere as it does in the envelope.
  if ('suggestedActions' in properties && 'severity' in properties) return 'error';
  const parts = Object.entries(properties).map(([key, part]) => {
    const { enum: values } = meant(part, named);
    return Array.isArray(values) ? `${key}: ${values.join('|')}` : key;
  });
  return `{${parts.join(', ')}}`;
}

/** The schema itself, or the one that it refers to. */
export function meant(schema: Schema, named: Named): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const found = named[schema.$ref.replace('#/$defs/', '')];
  return found ? meant(found, named) : {};
}
