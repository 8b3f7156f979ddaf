/** Some of the properties of something, as far as it has them. */
export function pick<Whole extends object, Key extends keyof Whole>(
  whole: Whole,
  keys: readonly Key[],
): Pick<Whole, Key> {
  const found = keys.filter((key) => key in whole).map((key) => [key, whole[key]]);
  return Object.fromEntries(found) as Pick<Whole, Key>;
}
