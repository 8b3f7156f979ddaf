import type { StructuredError } from '@argusai/core';
import { shortestPath } from '../text/shortest-path.js';

interface ConfigProblem {
  readonly path?: string;
  readonly line?: number;
  readonly message?: string;
}

/**
 * Problems of a configuration with file and line as editors understand them, of plugins and input as they are. A single one
 * that the message tells already is not told again.
 */
export function listedProblems(
  { message: told, details }: Pick<StructuredError, 'message' | 'details'>,
  cwd: string,
): string[] {
  if (!Array.isArray(details.problems)) return [];
  if (details.problems.length === 1 && told.includes(messageOf(details.problems[0]))) return [];
  const file = typeof details.file === 'string' ? shortestPath(details.file, cwd) : undefined;
  return details.problems.map((problem) => {
    if (typeof problem !== 'object' || problem === null) return String(problem);
    const { path, line, message } = problem as ConfigProblem;
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;
    return `${place}${path ?? ''}: ${message ?? ''}`;
  });
}

function messageOf(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return String(problem);
  return (problem as ConfigProblem).message ?? '';
}
