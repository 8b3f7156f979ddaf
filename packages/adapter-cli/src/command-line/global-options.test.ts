import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFormat } from './format.js';
import { splitArguments } from './global-options.js';

describe('splitArguments', () => {
  it('finds the command and leaves the rest to it', () => {
    const { command, rest } = splitArguments(['--project', 'there', 'check', '--only', 'disk', '--debug']);
    expect({ command, rest }).toEqual({ command: 'check', rest: ['--only', 'disk'] });
  });

  it('takes the options of argus itself from anywhere', () => {
    const { options } = splitArguments(['check', '--format=json', '--no-color', '--config', 'c.yaml', '-h']);
    expect(options).toMatchObject({
      format: 'json',
      color: false,
      config: 'c.yaml',
      help: true,
      version: false,
    });
  });

  it('leaves everything after -- alone', () => {
    const { options, rest } = splitArguments(['check', '--', '--format', 'json']);
    expect({ format: options.format, rest }).toEqual({ format: 'pretty', rest: ['--', '--format', 'json'] });
  });

  it.each([
    [['--format', 'xml', 'check'], 'There is no format xml; there are pretty, json, ndjson, junit'],
    [['--format', 'jsn', 'check'], 'did you mean json?'],
    [['--format=', 'check'], '--format needs one of'],
    [['--config', '--debug'], '--config needs a value'],
    [['--formt', 'json'], 'did you mean --format?'],
  ])('refuses %j', (args, message) => {
    expect(() => splitArguments(args)).toThrow(message);
  });
});

describe('findFormat', () => {
  it('finds the format in arguments that make no sense otherwise', () => {
    expect(findFormat(['--nonsense', '--format', 'json', '--config'])).toBe('json');
    expect(findFormat(['--format=ndjson', '--=x'])).toBe('ndjson');
    expect(findFormat(['--format'])).toBe('pretty');
    expect(findFormat(['--', '--format', 'json'])).toBe('pretty');
  });

  it('agrees with what is understood in the end', () => {
    const words = fc.constantFrom(
      'check',
      '--format',
      '--format=json',
      'json',
      'ndjson',
      '--',
      '--debug',
      'pretty',
    );
    fc.assert(
      fc.property(fc.array(words), (args) => {
        let understood: string | undefined;
        try {
          understood = splitArguments(args).options.format;
        } catch {
          return; // What cannot be understood is reported in whatever format was found.
        }
        expect(findFormat(args)).toBe(understood);
      }),
    );
  });
});
