/** A number with its word, in the singular where there is one: `1 route`, `2 routes`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
