/** The folder that the program was started in; nothing when somebody has removed it since. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // Node asks the system for its path, and has none to give.
    return undefined;
  }
}
