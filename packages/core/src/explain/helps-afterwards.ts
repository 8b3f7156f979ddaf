/** What only shows how things are, and what lets through again what was held back. */
const looking = ['preflight-check', 'status', 'config', 'plugins', 'schema', 'explain', 'reset-circuit'];

/** What cannot be built is built the same way by whatever builds, what is not well in time is not after another start, and a repair that failed fails again. */
const sameAgain: Readonly<Record<string, readonly string[]>> = {
  BUILD_FAILED: ['build'],
  HEALTH_CHECK_TIMEOUT: ['setup'],
  RECOVERY_FAILED: ['plan-recovery'],
};

/** The operations that help against a code only after something else was done about it; what that is, its remedy says. */
export function helpsAfterwards(code: string): readonly string[] {
  return [...looking, ...(sameAgain[code] ?? [])];
}
