import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './command.mjs';
import { countTests } from './test-count.mjs';

/**
 * Runs vitest, its output on the terminal. All tests are run with coverage; a selection of them is not.
 * @param {string} root
 * @param {string[]} args Patterns of test files and options for vitest.
 * @returns {Promise<import('./test-count.mjs').TestCount>}
 */
export async function runTests(root, args) {
  const folder = mkdtempSync(join(root, '.build', 'run-'));
  const reportFile = join(folder, 'report.json');
  const coverage = join(folder, 'coverage');
  try {
    const { code } = await runTool(
      root,
      'vitest',
      [
        'run',
        '--reporter=default',
        '--reporter=json',
        '--reporter=./tests/faults/report/reporter.ts',
        `--outputFile.json=${reportFile}`,
        // Each run has a folder of its own: vitest empties it first, which would spoil another run's figures.
        ...(args.length === 0 ? ['--coverage', `--coverage.reportsDirectory=${coverage}`] : args),
      ],
      { show: true },
    );
    if (existsSync(coverage)) publish(coverage, join(root, 'coverage'));
    return countTests(
      existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined,
      code,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function publish(from, to) {
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}
