/** The name of an operation's tool. */
export function toolName(operation: string): string {
  return `argus_${operation.replaceAll('-', '_')}`;
}

/** The name of the operation that a tool stands for. */
export function operationOf(tool: string): string {
  return tool.replace(/^argus_/, '').replaceAll('_', '-');
}

/** The tools of the server itself: they are about calls, not about environments. */
export const cancelTool = 'argus_cancel';
export const moreTool = 'argus_more';
