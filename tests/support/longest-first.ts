import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Where tests wait for real services, the longest of all first: what begins last, alone keeps the run from its end. With them the one
 * that only computes, while the others leave it a processor.
 */
const slow = ['tests/faults/', 'packages/plugin-orphans/src/safety.test.ts', 'tests/environment/'];

/**
 * The order of the files of tests: slow folders, the others that have a process of their own, and those that share one. The last
 * are small, so they fill up what is left. A process is shared only by files that stand side by side in this order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => this.#place(one) - this.#place(other));
  }

  #place({ project, moduleId }: TestSpecification): number {
    const path = relative(this.ctx.config.root, moduleId);
    const index = slow.findIndex((folder) => path.startsWith(folder));
    if (index >= 0) return index;
    return slow.length + (project.config.isolate ? 0 : 1);
  }
}
