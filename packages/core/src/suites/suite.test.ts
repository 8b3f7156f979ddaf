import { describe, expect, it } from 'vitest';
import { configSchema } from '../config/schema.js';
import { chooseSuites } from './suite.js';

const config = configSchema.parse({
  tests: {
    suites: [
      { id: 'smoke', name: 'Smoke tests', command: 'npm test', timeout: '1m' },
      { id: 'e2e', command: ['npx', 'e2e'], environment: { DEPTH: 2 } },
    ],
  },
});
const ids = (suites?: string[]) => chooseSuites(config, { suites }).map(({ id }) => id);

describe('the suites to run', () => {
  it('are all that are configured, in their order, or those that are named, each once, in the order of the names', () => {
    expect(ids()).toEqual(['smoke', 'e2e']);
    expect(ids([])).toEqual(['smoke', 'e2e']);
    expect(ids(['e2e', 'smoke', 'e2e'])).toEqual(['e2e', 'smoke']);
  });

  it('are as they are configured', () => {
    expect(chooseSuites(config, {})).toEqual([
      {
        id: 'smoke',
        name: 'Smoke tests',
        command: 'npm test',
        timeout: 60_000,
        environment: {},
        key: 'tests.suites[0]',
      },
      { id: 'e2e', command: ['npx', 'e2e'], environment: { DEPTH: '2' }, key: 'tests.suites[1]' },
    ]);
  });

  it('are one when a command is given, whose words mean what they say', () => {
    expect(chooseSuites(configSchema.parse({}), { command: ['echo', '{{x}}'] })).toEqual([
      { id: 'command', command: ['echo', '{{x}}'], environment: {} },
    ]);
  });

  it.each([
    [{ suites: ['smok'] }, 'There is no suite smok; did you mean smoke?'],
    [{ suites: ['vitest'] }, 'there are smoke, e2e. A command comes after two dashes: argus run -- vitest'],
    [{ suites: ['smoke'], command: ['ls'] }, 'Either suites or a command'],
  ])('are refused with what would have been right: %j', (choice, message) => {
    expect(() => chooseSuites(config, choice)).toThrow(message);
  });

  it('are refused where there are none, with how to have some', () => {
    expect(() => chooseSuites(configSchema.parse({}), {})).toThrow(
      /^The configuration has no test suites\. Add some, as in tests: .*, or give a command: argus run -- npm test$/,
    );
    expect(() => chooseSuites(configSchema.parse({}), { suites: ['smoke'] })).toThrow(
      /^There is no suite smoke: the configuration has no test suites/,
    );
  });
});
