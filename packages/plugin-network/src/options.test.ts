import { describe, expect, it } from 'vitest';
import { options } from './options.js';

/** The messages of all that is wrong, those of alternatives too. */
function problemsWith(input: unknown): string {
  const { error } = options.safeParse(input);
  return JSON.stringify(error?.issues ?? []);
}

describe('the options', () => {
  it('are complete when there are none', () => {
    expect(options.parse({})).toEqual({
      http: [],
      tcp: [],
      dns: [],
      verify: { timeout: 2_000, patience: 30_000 },
    });
  });

  it('take a target as a text or with what is expected of it', () => {
    const common = { timeout: 5_000 };
    const parsed = options.parse({
      http: ['http://a/', { url: 'https://me:secret@b/x', status: [200, '300-399'], latency: '1s' }],
      tcp: ['db:5432', { address: '[::1]:80', name: 'six' }],
      dns: ['a.example', { host: 'b.example', timeout: 100 }],
      verify: { patience: '1m' },
    });
    expect(parsed.http).toEqual([
      {
        url: 'http://a/',
        name: 'http://a/',
        method: 'GET',
        headers: {},
        insecure: false,
        redirects: 0,
        ...common,
      },
      {
        url: 'https://me:secret@b/x',
        name: 'https://b/x',
        method: 'GET',
        headers: {},
        insecure: false,
        redirects: 0,
        latency: 1_000,
        ...common,
        status: [
          [200, 200],
          [300, 399],
        ],
      },
    ]);
    expect(parsed.tcp).toEqual([
      { name: 'db:5432', address: { host: 'db', port: 5432, text: 'db:5432' }, ...common },
      { name: 'six', address: { host: '::1', port: 80, text: '[::1]:80' }, ...common },
    ]);
    expect(parsed.dns).toEqual([
      { name: 'a.example', host: 'a.example', ...common },
      { name: 'b.example', host: 'b.example', timeout: 100 },
    ]);
    expect(parsed.verify).toEqual({ timeout: 2_000, patience: 60_000 });
  });

  it.each([
    [{ http: ['ftp://x'] }, 'begins with http:// or https://'],
    [{ http: [{ url: 'http://x', status: '2xx' }] }, 'is not a status'],
    [{ http: [{ url: 'http://x', status: 299, body: '/(/' }] }, 'is not a pattern'],
    [{ http: [{ url: 'http://x', status: '300-200' }] }, 'is not a status'],
    [{ tcp: ['db'] }, 'is not an address'],
    [{ tcp: ['db:70000'] }, 'is not an address'],
    [{ tcp: [5432] }, 'nvalid'],
    [{ dns: [''] }, 'oo small'],
    [{ verify: { timeout: 'soon' } }, 'is not a duration'],
  ])('refuse what makes no sense: %j', (input, message) => {
    expect(problemsWith(input)).toContain(message);
  });

  it('refuse two targets with one name', () => {
    expect(problemsWith({ dns: ['a', { host: 'b', name: 'a' }] })).toContain(
      'give one of them a name of its own',
    );
  });
});
