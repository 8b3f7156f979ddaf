/** By which rule something was refused and why, with the rule named once: many reasons begin with it. */
export function refusedBy({ rule, reason }: { readonly rule: string; readonly reason: string }): string {
  return `by ${reason.startsWith(rule) ? reason : `${rule}: ${reason}`}`;
}
