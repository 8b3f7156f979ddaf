/** Where something was thrown, and what caused it, as deep as that is told. */
export function stacksOf(thrown: unknown, depth = 0): string[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const stack = String(thrown.stack ?? thrown.message);
  return [depth === 0 ? stack : `caused by ${stack}`, ...stacksOf(thrown.cause, depth + 1)];
}
