/** How often a property is tried: so often, or as often as `npm run test:long` asks where that is more. */
export function many(usual: number): { readonly numRuns: number } {
  return { numRuns: Math.max(usual, Number(process.env.ARGUS_TEST_RUNS ?? 0)) };
}
