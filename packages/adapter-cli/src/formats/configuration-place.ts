import type { JsonObject } from '@argusai/core';

/** Where in a configuration the first problem lies, in the properties that GitHub shows an annotation by. */
export function configurationPlace({ file, problems }: JsonObject): Record<string, string> {
  if (typeof file !== 'string' || !Array.isArray(problems)) return {};
  const lines = problems.map((problem) => (problem as { line?: unknown } | null)?.line);
  const line = lines.find((one) => typeof one === 'number');
  return { file, ...(line === undefined ? {} : { line: String(line) }) };
}
