import type { StructuredError } from '@argusai/core';
import { shortestPath } from './shortest-path.js';

interface ConfigProblem {
  readonly path?: string;
  readonly line?: number;
  readonly message?: string;
}

/** Problems of a configuration with file and line as editors understand them, of plugins and input as they are. */
export function listedProblems({ details }: Pick<StructuredError, 'details'>, cwd: string): string[] {
  if (!Array.isArray(details.problems)) return [];
  const file = typeof details.file === 'string' ? shortestPath(details.file, cwd) : undefined;
  return details.problems.map((problem) => {
    if (typeof problem !== 'object' || problem === null) return String(problem);
    const { path, line, message } = problem as ConfigProblem;
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;
    return `${place}${path ?? ''}: ${message ?? ''}`;
  });
}
