/**
 * What is read of vitest's JSON report.
 * @typedef {object} VitestReport
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * How many tests passed, failed and were skipped.
 * @typedef {{ passed: number, failed: number, skipped: number }} TestCount
 */

/**
 * Counts the tests of a run. A file that could not be loaded counts as one failure, and so does a run that failed for
 * another reason than a test: too little coverage, an error that nobody caught, no report at all.
 * @param {VitestReport | undefined} report
 * @param {number} exitCode
 * @returns {TestCount}
 */
export function countTests(report, exitCode) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report?.testResults ?? []) {
    const failedBefore = count.failed;
    for (const test of assertionResults) {
      if (test.status === 'passed') count.passed += 1;
      else if (test.status === 'failed') count.failed += 1;
      else count.skipped += 1;
    }
    if (status === 'failed' && count.failed === failedBefore) count.failed += 1;
  }
  if (exitCode !== 0 && count.failed === 0) count.failed = 1;
  return count;
}

/**
 * The last line of the test command.
 * @param {TestCount} count
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
