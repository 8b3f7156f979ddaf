/** What something thrown says, whatever it is. Secrets are not removed from it. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
