import { formatPath } from '../config/path.js';
import type { ArgusConfig } from '../config/schema.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';

/** A test suite as it is configured, or a command that stands for one. */
export interface Suite {
  readonly id: string;
  /** A name for people. */
  readonly name?: string;
  readonly command: string | readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout?: number;
  /** The key where it is configured. What was typed in has none, and `{{…}}` in it may mean anything. */
  readonly key?: string;
}

/** Which suites are wanted. */
export interface SuiteChoice {
  /** Only these, in this order. */
  readonly suites?: readonly string[] | undefined;
  /** This instead of any. */
  readonly command?: readonly string[] | undefined;
}

/** What a command is called that is run instead of suites. */
const commandId = 'command';

/** The suites to run: those that are named, or all, or the given command. */
export function chooseSuites({ tests }: ArgusConfig, { suites: names = [], command }: SuiteChoice): Suite[] {
  if (command !== undefined) {
    if (names.length > 0) throw both(names);
    return [{ id: commandId, command, environment: {} }];
  }
  const all = tests.suites.map(toSuite);
  if (all.length === 0) throw none(names);
  if (names.length === 0) return all;
  const known = all.map(({ id }) => id);
  return [...new Set(names)].map((name) => all.find(({ id }) => id === name) ?? refuse(name, known));
}

function toSuite(
  { id, name, command, environment, timeout }: ArgusConfig['tests']['suites'][number],
  index: number,
): Suite {
  return {
    id,
    command,
    environment,
    key: formatPath(['tests', 'suites', index]),
    ...(name === undefined ? {} : { name }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

function both(names: readonly string[]): ArgusError {
  return new ArgusError(usageInvalid, {
    message: `Either suites or a command: ${names.join(', ')} cannot be run together with one`,
    details: { suites: [...names] },
  });
}

function none(names: readonly string[]): ArgusError {
  const why = names.length === 0 ? '' : `There is no suite ${names.join(', ')}: `;
  return new ArgusError(usageInvalid, {
    message:
      `${why}${why === '' ? 'The' : 'the'} configuration has no test suites. Add some, ` +
      'as in tests: { suites: [{ id: smoke, command: npm test }] }, or give a command: argus run -- npm test',
    details: { suites: [...names], known: [] },
  });
}

function refuse(name: string, known: readonly string[]): never {
  const suggestion = nearest(name, known);
  const hint = suggestion === undefined ? `there are ${known.join(', ')}.` : `did you mean ${suggestion}?`;
  throw new ArgusError(usageInvalid, {
    message: `There is no suite ${name}; ${hint} A command comes after two dashes: argus run -- ${name}`,
    details: { suite: name, known: [...known], ...(suggestion === undefined ? {} : { suggestion }) },
  });
}
