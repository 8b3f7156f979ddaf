/**
 * Makes a schema when it is first asked for, and only once. A schema never changes (what is called on it gives back another
 * one), so all can have the same; to make them is most of what a start does with its configuration.
 */
export function shared<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
