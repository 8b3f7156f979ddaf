import { check } from './steps/check.mjs';
import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { runTests } from './steps/run-tests.mjs';
import { say } from './steps/say.mjs';
import { closingLine } from './steps/test-count.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

/** @param {string[]} args */
async function test(args) {
  const unbuilt = await prepare(workspaceRoot);
  unbuilt.forEach(showFailure);

  // Beside the tests, most of which leave a processor to others. What it finds is shown after them, where it is seen.
  say('Checking types, lint, format and packages while the tests run …');
  const [unclean, count] = await Promise.all([check(workspaceRoot), runTests(workspaceRoot, args)]);
  unclean.forEach(showFailure);
  const failures = [...unbuilt, ...unclean];
  for (const { what } of failures) say(`FAILED: ${what} (see above)`);
  return { ...count, failed: count.failed + failures.length };
}

/** @type {import('./steps/test-count.mjs').TestCount} */
let count;
try {
  count = await test(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  count = { passed: 0, failed: 1, skipped: 0 };
}
process.stdout.write(`${closingLine(count)}\n`);
process.exitCode = count.failed > 0 ? 1 : 0;
