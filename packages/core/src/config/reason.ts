/** Why something failed, in one line: loaders of code tell with line breaks, stacks and their own decoration. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [message = ''] = thrown.message.split(/\nRequire stack:/);
  const line = message.replace(/\s*\n\s*/g, ' ').trim();
  return thrown.name === 'Error' ? line : `${thrown.name}: ${line}`;
}
