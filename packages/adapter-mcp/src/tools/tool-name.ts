/** The name of an operation's tool. */
export function toolName(operation: string): string {
  return `argus_${operation.replaceAll('-', '_')}`;
}

/** The tools of the server itself: they are about calls, not about environments. */
export const cancelTool = 'argus_cancel';
export const moreTool = 'argus_more';
