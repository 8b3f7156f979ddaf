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

  say('Checking types, lint and format …');
  const unclean = await check(workspaceRoot);
  unclean.forEach(showFailure);

  const count = await runTests(workspaceRoot, args);
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
