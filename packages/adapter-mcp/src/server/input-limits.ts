import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** How long a text may be in characters, how deep something may be nested, and how many values there may be in all. */
const limits = { text: 100_000, depth: 32, values: 10_000 };

/** Refuses what a client sends before anything walks it: what is too deep would overflow the stack, what is too long would hold up everybody. */
export function refuseExcess(given: unknown): void {
  const excess = excessOf(given);
  if (excess) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params: ${excess}`);
}

/** What of it is too much; walked with a list of its own instead of the stack. */
function excessOf(given: unknown): string | undefined {
  const left: [unknown, number][] = [[given, 0]];
  for (let count = 0; left.length > 0; count += 1) {
    const [value, depth] = left.pop() ?? [];
    if (count > limits.values) return `at most ${limits.values} values may be given`;
    if (typeof value === 'string' && value.length > limits.text)
      return `a text may have ${limits.text} characters at most, this one has ${value.length}`;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === undefined || depth >= limits.depth) return `it may be nested ${limits.depth} deep at most`;
    const entries = Object.entries(value);
    if (entries.length > limits.values) return `at most ${limits.values} values may be given`;
    for (const [key, item] of entries) left.push([key, depth + 1], [item, depth + 1]);
  }
  return undefined;
}
