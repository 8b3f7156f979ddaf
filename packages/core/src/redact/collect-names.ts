/** Objects whose keys are names. */
const namedByKey = new Set(['services', 'mocks']);

/** Properties that hold a name, or a list of them: of an image, a path, a stage, a service, a suite. */
const nameKeys = new Set(
  'name id dir image build context dockerfile target volumes dependsOn restartWith user exclude path'.split(
    ' ',
  ),
);

/** Whatever stands in these was given as a value. */
const valueKeys = new Set(['environment', 'args', 'vars', 'headers', 'body']);

/** What stands in a configuration as a name: people and programs look for it, so it is no secret there, whatever else is called so. */
export function collectNames(source: unknown): string[] {
  const found = new Set<string>();

  function visit(value: unknown, isName: boolean): void {
    if (typeof value === 'string') {
      if (isName) found.add(value);
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, isName);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visitProperty(key, item);
    }
  }

  function visitProperty(key: string, item: unknown): void {
    if (valueKeys.has(key)) return;
    if (namedByKey.has(key) && typeof item === 'object' && item !== null)
      for (const name of Object.keys(item)) found.add(name);
    visit(item, nameKeys.has(key));
  }

  visit(source, false);
  return [...found];
}
