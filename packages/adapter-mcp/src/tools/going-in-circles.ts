/** What names a call: the tool and everything that it was given. */
export function keyOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([tool, Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

/** What an agent that goes round in circles is to tell the person. */
export function humanLine(tool: string, message: string): string {
  return `Stop and tell the person: ${tool} keeps failing in the same way, and nothing that argus can see has changed: ${message}`;
}
