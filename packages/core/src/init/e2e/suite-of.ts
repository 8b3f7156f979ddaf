import { property } from '../../model/property.js';
import type { DraftSuite } from '../draft.js';

/** What argus has words for. */
const carried = new Set(['id', 'name', 'command', 'environment', 'timeout']);

/** What is said by the command, or of no use beside it. */
const spent = new Set(['runner', 'file', 'config']);

/** How each runner of ArgusAI is started by hand. Its own test cases in YAML only ArgusAI can run. */
const runners: Readonly<Record<string, readonly string[]>> = {
  vitest: ['npx', 'vitest', 'run'],
  pytest: ['pytest'],
  playwright: ['npx', 'playwright', 'test'],
  shell: ['bash'],
};

/** A suite as argus would have it, or why there is none. */
export function suiteOf(raw: unknown): { suite?: DraftSuite; notes: string[] } {
  const id = String(property(raw, 'id') ?? property(raw, 'name') ?? 'tests');
  const command = commandOf(raw);
  if (command === undefined) {
    const runner = property(raw, 'runner') ?? 'yaml';
    return {
      notes: [
        `the suite ${id} is left out: argus runs commands, and has no runner ${JSON.stringify(runner)}`,
      ],
    };
  }
  const entries = Object.entries(Object(raw));
  const left = entries.map(([key]) => key).filter((key) => !carried.has(key) && !spent.has(key));
  return {
    suite: { ...Object.fromEntries(entries.filter(([key]) => carried.has(key))), id, command },
    notes: left.map((key) => `the suite ${id}: ${key} is left out: there is nothing like it here`),
  };
}

function commandOf(raw: unknown): DraftSuite['command'] | undefined {
  const command = property(raw, 'command');
  if (command !== undefined && command !== null) return command as DraftSuite['command'];
  const program = runners[String(property(raw, 'runner'))];
  const file = property(raw, 'file');
  if (program === undefined || typeof file !== 'string') return undefined;
  const config = property(raw, 'config');
  return [...program, ...(typeof config === 'string' ? ['--config', config] : []), file];
}
