import type { Reporter, TestModule } from 'vitest/node';
import { figuresOf } from './figures.js';
import type { Row } from './row.js';
import { tableOf } from './table.js';

/** Prints the table of faults when all tests are over, and fails the run when the figures are not good enough. */
export default class FaultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test): Row[] => {
        const { fault } = test.meta();
        return fault ? [fault] : [];
      }),
    );
    if (rows.length === 0) return;
    const { lines, shortfalls } = figuresOf(rows);
    const failures = shortfalls.map((shortfall) => `FAILED: ${shortfall}`);
    process.stdout.write(`\nFaults\n\n${tableOf(rows)}\n\n${[...lines, ...failures].join('\n')}\n`);
    if (failures.length > 0) process.exitCode = 1;
  }
}
