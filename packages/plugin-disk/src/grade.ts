/** How much there is against how much there should be: enough, less than that, or less than half of it. */
export function grade(available: number, required: number): 'pass' | 'warn' | 'fail' {
  if (available >= required) return 'pass';
  // Not `available * 2`: a filesystem may claim so many bytes that this is no longer exact.
  return available >= criticalOf(required) ? 'warn' : 'fail';
}

/** Below what it is a failure. */
export function criticalOf(required: number): number {
  return required / 2;
}
