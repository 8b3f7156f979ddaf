import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/json.js';
import { REDACTED } from './redacted.js';
import { createRedactor } from './redactor.js';
import { isSecretValue } from './secret-value.js';

const { redact } = createRedactor();

const secret = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 40 }),
    fc.string({ minLength: 6, maxLength: 40, unit: 'binary' }),
    fc.base64String({ minLength: 12, maxLength: 60 }),
    fc.stringMatching(/^[a-z]{4,9}[!@#$%&"'/+ =:]{1,3}[A-Z0-9]{3,9}$/),
  )
  .map((value) => value.trim())
  .filter(isSecretValue);

/** Texts and names of all kinds, among them those that the shapes look at. */
const scrap = fc.oneof(
  fc.string(),
  fc.constantFrom('password', 'token=', '"apiKey": "', '--secret ', '://user:', '@host', 'Bearer ', 'Cookie: a=', ' ', '\n', '"', '[redacted]', 'redac', 'ted]', '-----END PRIVATE KEY-----', 'eyJ', 'value', 'name', 'DB_PASS', '&', '?sig='), // biome-ignore format: one line reads better
);
const text = (known: string) =>
  fc.array(fc.oneof(scrap, fc.constant(known)), { maxLength: 6 }).map((parts) => parts.join(''));

function jsonWith(known: string): fc.Arbitrary<Json> {
  return fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(text(known), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(text(known), tie('json'), { maxKeys: 4 }),
    ),
  })).json;
}

const secretAndJson = secret.chain((known) => fc.tuple(fc.constant(known), jsonWith(known)));

/** Every string in a value, names included. */
function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...stringsIn(item),
  ]);
}

/** The value with its strings, numbers and names left out. */
function shapeOf(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) return { members: Object.values(value).map(shapeOf) };
  return typeof value === 'string' || typeof value === 'number' ? 'text or number' : value;
}

describe('a redactor', () => {
  it('lets no known secret through, wherever it is in a value', () => {
    fc.assert(
      fc.property(secretAndJson, ([known, value]) => {
        const safe = createRedactor({ secrets: [known] }).redact(value);
        for (const found of stringsIn(safe)) expect(found).not.toContain(known);
      }),
      { numRuns: 500 },
    );
  });

  it('redacts twice as it redacts once', () => {
    fc.assert(
      fc.property(secretAndJson, ([known, value]) => {
        const redactor = createRedactor({ secrets: [known] });
        const once = redactor.redact(value);
        expect(redactor.redact(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the shape of a value, and the value that it is given', () => {
    fc.assert(
      fc.property(secretAndJson, ([known, value]) => {
        const before = structuredClone(value);
        const safe = createRedactor({ secrets: [known] }).redact(value);
        expect(value).toEqual(before);
        expect(shapeOf(safe)).toEqual(shapeOf(value));
        expect(JSON.parse(JSON.stringify(safe))).toEqual(safe);
      }),
      { numRuns: 500 },
    );
  });

  it('gives back the very same value when there is nothing secret in it', () => {
    const hexOf = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    const word = fc
      .stringMatching(/^[a-z]{1,12}$/)
      .filter((found) => !/pass|pwd|secret|token|key|auth|cred|cookie|jwt|bearer/.test(found));
    const plain = fc.oneof(
      word,
      fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
      fc.array(word, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join('/')}`),
      fc
        .tuple(word, fc.nat(65_535))
        .map(([host, port]) => `connect ECONNREFUSED http://${host}:${port}/health`),
      fc
        .tuple(word, fc.nat(255))
        .map(([name, code]) => `Error: container ${name}-1 exited with code ${code}`),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.uuid(),
      hexOf(12),
      hexOf(40).map((hash) => `commit ${hash}`),
      hexOf(64),
      hexOf(64).map((digest) => `shop@sha256:${digest}`),
      fc.ipV4(),
    );
    const report = fc.dictionary(
      word,
      fc.oneof(plain, fc.integer(), fc.array(plain), fc.dictionary(word, plain)),
    );
    const redactor = createRedactor({ secrets: ['correct-horse-battery', 'Tr0ub4dor&3'] });
    fc.assert(
      fc.property(report, (value) => {
        expect(redactor.redact(value)).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['password', 'apiKey', 'authorization', 'client_secret', 'DB_PASSWORD', 'X-Api-Key', '_auth'])(
    'replaces what stands under %s whole',
    (name) => {
      expect(redact({ [name]: 'two words' })).toEqual({ [name]: REDACTED });
      expect(redact({ [name]: 12_345 })).toEqual({ [name]: REDACTED });
      expect(redact({ [name]: ['a', ['b'], 7] })).toEqual({ [name]: [REDACTED, [REDACTED], REDACTED] });
    },
  );

  it('keeps flags, settings, references and places under the name of a credential', () => {
    const value = {
      password: null,
      token: true,
      apiKey: '',
      secret: 'none',
      dbPassword: made('$', '{DB_PASSWORD}'),
      credentials: '/run/secrets/db',
      tokens: [false],
      auth: { method: 'tls' },
      tokenFile: './token',
      left: undefined,
    };
    expect(redact(value)).toBe(value);
  });

  it('replaces the members of a collection of secrets, except what tells where they are kept', () => {
    expect(redact({ secrets: { db: 'hunter2', cache: { file: './x' }, name: 'shop' } })).toEqual({
      secrets: { db: REDACTED, cache: { file: './x' }, name: 'shop' },
    });
    const harmless = { credentials: { username: 'shop' } };
    expect(redact(harmless)).toBe(harmless);
  });

  it('replaces the value of a pair whose name is that of a credential', () => {
    const pairs = [
      { name: 'DB_PASSWORD', value: 'abc' },
      { name: 'PORT', value: 'abc' },
      { path: 'services.db.environment.DB_PASSWORD', value: 7, message: 'not a string' },
    ];
    expect(redact(pairs)).toEqual([
      { name: 'DB_PASSWORD', value: REDACTED },
      pairs[1],
      { ...pairs[2], value: REDACTED },
    ]);
  });

  it('replaces the value of a variable in a list to its end', () => {
    expect(redact(['PORT=80', 'DB_PASSWORD=two words', 'API_TOKEN='])).toEqual([
      'PORT=80',
      `DB_PASSWORD=${REDACTED}`,
      'API_TOKEN=',
    ]);
  });

  it('replaces the argument after a flag for a credential', () => {
    expect(redact(['login', '--password', 'abc', '--token', '--user', 'me'])).toEqual([
      'login',
      '--password',
      REDACTED,
      '--token',
      '--user',
      'me',
    ]);
  });

  it('knows a secret of digits also as a number', () => {
    const redactor = createRedactor({ secrets: ['1234567890123'] });
    expect(redactor.redact([1234567890123, 1700000000000, 12])).toEqual([REDACTED, 1700000000000, 12]);
  });

  it('loses no member when two names become the same', () => {
    const redactor = createRedactor({ secrets: ['correct-horse', 'battery-staple'] });
    expect(redactor.redact({ 'correct-horse': 1, 'battery-staple': 2, 'correct-horse!': 3 })).toEqual({
      [REDACTED]: 1,
      [`${REDACTED} (2)`]: 2,
      [`${REDACTED}!`]: 3,
    });
  });

  it('keeps a member called __proto__ a member', () => {
    const safe = redact(JSON.parse('{"__proto__": {"password": "abc"}}') as Json);
    expect(JSON.stringify(safe)).toBe(`{"__proto__":{"password":"${REDACTED}"}}`);
  });

  it('removes what is nested too deeply to be read', () => {
    const nest = (inner: Json, name: string) => {
      let value = inner;
      for (let depth = 0; depth < 100_000; depth++) value = depth % 2 ? [value] : { [name]: value };
      return value;
    };
    for (const name of ['a', 'secrets', 'token']) {
      expect(JSON.stringify(redact(nest('deep', name)))).not.toContain('deep');
    }
    let list: Json = 'deep';
    for (let depth = 0; depth < 100_000; depth++) list = [list];
    expect(JSON.stringify(redact({ token: list }))).not.toContain('deep');
  });

  it('remembers no more names than it should', () => {
    for (let number = 0; number < 2_500; number++) {
      const name = `password${number % 2 ? '' : `-hint-${number}`}`;
      expect(redact({ [name]: 'abc' })).toEqual({ [name]: number % 2 ? REDACTED : 'abc' });
    }
  });
});

function made(...parts: string[]): string {
  return parts.join('');
}
