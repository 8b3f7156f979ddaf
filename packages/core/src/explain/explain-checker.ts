import type { Kernel } from '../kernel/kernel.js';
import type { Checker } from '../model/checker.js';

/** Explains a checker: what it looks at and which codes it can give. */
export function explainChecker({ checkers }: Kernel, checker: Checker) {
  const { name, description, requires = [], codes = [], ofRun = false } = checker;
  return {
    kind: 'checker' as const,
    name,
    plugin: checkers.ownerOf(name) ?? 'core',
    ...(description === undefined ? {} : { description }),
    requires: [...requires],
    ofRun,
    codes: codes.map(({ code, summary }) => ({ code, summary })),
  };
}
