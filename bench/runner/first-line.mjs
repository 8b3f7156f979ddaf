/**
 * What an error says, as far as it fits into a table.
 * @param {unknown} error
 */
export function firstLine(error) {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n')[0] ?? '';
}
