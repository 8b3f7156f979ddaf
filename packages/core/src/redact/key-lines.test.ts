import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/json.js';
import { createKeyStream } from './key-stream.js';
import { REDACTED } from './redacted.js';
import { createRedactor } from './redactor.js';

const { redact, text } = createRedactor();

/** Put together here so that no scanner takes this file for a leak. */
const begin = (label: string) => `-----BEGIN ${label}${'PRIVATE'} KEY-----`;
const end = (label: string) => `-----END ${label}${'PRIVATE'} KEY-----`;
const wrapped = (body: string, width: number) => body.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
const base64 = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 89 + 7 * (at % 13)) % 256)).toString('base64'); // biome-ignore format: one line reads better

const pem = { format: 'pem' } as const;
const publicKeyEncoding = { type: 'spki', ...pem } as const;
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding,
  privateKeyEncoding: { type: 'pkcs1', ...pem },
}).privateKey;
const locked = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding,
  privateKeyEncoding: { type: 'pkcs1', ...pem, cipher: 'aes-128-cbc', passphrase: 'x' },
}).privateKey;
const ec = generateKeyPairSync('ec', {
  namedCurve: 'prime256v1',
  publicKeyEncoding,
  privateKeyEncoding: { type: 'sec1', ...pem },
}).privateKey;
const ed25519 = generateKeyPairSync('ed25519', {
  publicKeyEncoding,
  privateKeyEncoding: { type: 'pkcs8', ...pem },
}).privateKey;

const linesOf = (key: string) => key.trimEnd().split('\n');
const pgp = [
  begin('PGP ').replace('KEY-', 'KEY BLOCK-'),
  'Version: GnuPG v2',
  'Comment: made up',
  '',
  ...wrapped(base64(310), 64),
  '=njUN',
  end('PGP ').replace('KEY-', 'KEY BLOCK-'),
];
const openssh = [begin('OPENSSH '), ...wrapped(base64(400), 70), end('OPENSSH ')];

const KEYS: [name: string, lines: string[]][] = [
  ['an RSA key', linesOf(rsa)],
  ['an EC key', linesOf(ec)],
  ['an Ed25519 key', linesOf(ed25519)],
  ['an OpenSSH key', openssh],
  ['a PGP key', pgp],
  ['an encrypted key with headers', linesOf(locked)],
];

const DRESSES: [name: string, dress: (line: string, at: number) => string][] = [
  ['bare', (line) => line],
  ['coloured', (line) => `\u001b[32m${line}\u001b[39m`],
  ['with carriage returns', (line) => `${line}\r`],
  ['indented as in YAML', (line) => `      ${line}`],
  ['after the time', (line, at) => `2026-11-18T08:43:${10 + at}.${at * 37}Z ${line}`],
  ['after the time and a name', (line, at) => `08:43:${10 + at} INFO [api-1] ${line}`],
  ['after the name of a service', (line) => `api  | ${line}`],
  ['of a step of a build', (line, at) => `#8 0.${100 + at} ${line}`],
  ['as a message in JSON', (line, at) => `{"level":30,"time":${1_700_000_000 + at},"msg":"${line}","pid":7}`],
  ['as a string in source code', (line) => `  "${line}\\n" +`],
];

const ordinary = ['server listening on 8080', 'ready', 'GET /health 200 3ms', '', 'Error: no such table'];

/** What nobody may see: the runs of base64 that the body of a key is made of. */
const bodyOf = (key: readonly string[]) =>
  key.slice(1, -1).filter((line) => line !== '' && !line.includes(':'));

function expectNone(shown: readonly string[], secret: readonly string[]): void {
  for (const line of secret) expect(shown.filter((one) => one.includes(line))).toEqual([]);
}

describe('a private key that comes line by line', () => {
  const cases = KEYS.flatMap(([key, lines]) =>
    DRESSES.map(([dress, put]) => [`${key}, ${dress}`, lines, put] as const),
  );

  it.each(cases)('is taken out of a list: %s', (_, key, dress) => {
    const shown = redact([...ordinary, ...key.map(dress), ...ordinary]);
    expectNone(shown, bodyOf(key));
    expect(shown.slice(0, ordinary.length)).toEqual(ordinary);
    expect(shown.slice(-ordinary.length)).toEqual(ordinary);
    expect(redact(shown)).toBe(shown);
  });

  it.each(cases)('is taken out of a list that begins within it: %s', (_, key, dress) => {
    for (let cut = 1; cut < key.length - 1; cut++)
      expectNone(redact([...key.map(dress).slice(cut), ...ordinary]), bodyOf(key));
  });

  it.each(cases)('is taken out of what comes one by one: %s', (_, key, dress) => {
    const mask = createKeyStream();
    const lines = [...ordinary, ...key.map(dress), ...ordinary];
    const shown = lines.map((line) => text(mask('api', line)));
    expectNone(shown, bodyOf(key));
    expect(shown.slice(0, ordinary.length)).toEqual(ordinary);
    expect(shown.slice(-ordinary.length)).toEqual(ordinary);
  });

  it.each(KEYS)('is taken out of one text, and out of its JSON: %s', (_, key) => {
    const whole = `key:\n${key.join('\n')}\nbye`;
    expect(text(whole)).toBe(`key:\n${REDACTED}\nbye`);
    expect(text(JSON.stringify({ whole }))).toBe(`{"whole":"key:\\n${REDACTED}\\nbye"}`);
    expect(redact(['a', JSON.stringify({ whole }), 'ready'])).toEqual([
      'a',
      `{"whole":"key:\\n${REDACTED}\\nbye"}`,
      'ready',
    ]);
  });

  it('is followed for each service and stream by itself', () => {
    const key = linesOf(rsa);
    const lines = key.flatMap((line, at): { service: string; stream: string; text: string }[] => [
      { service: 'api', stream: 'stdout', text: line },
      { service: 'api', stream: 'stderr', text: 'ready' },
      { service: 'db', stream: 'stdout', text: `${at} rows` },
    ]);
    const shown = redact(lines as Json[]) as typeof lines;
    expectNone(shown.map((line) => line.text), bodyOf(key)); // biome-ignore format: one line reads better
    expect(shown.filter(({ service, stream }) => service === 'db' || stream === 'stderr')).toEqual(
      lines.filter(({ service, stream }) => service === 'db' || stream === 'stderr'),
    );
  });

  it('is taken out although others print between its lines', () => {
    const key = linesOf(rsa);
    const mixed = key.flatMap((line, at) => [line, `GET /${at} 200`]);
    expectNone(redact(mixed), bodyOf(key));
    const mask = createKeyStream();
    expectNone(mixed.map((line) => text(mask('api', line))), bodyOf(key).slice(0, -1)); // biome-ignore format: one line reads better
    expect(redact(mixed).filter((line) => line.startsWith('GET'))).toHaveLength(key.length);
  });

  it('is known again when its last lines are repeated', () => {
    const key = linesOf(rsa);
    const mask = createKeyStream();
    const build = [
      ...key.map((line, at) => `#8 0.${at} ${line}`),
      '------',
      ' > [2/2] RUN cat k.pem && false:',
      ...key.slice(-5).map((line) => `0.231 ${line}`),
      '------',
      'ERROR: failed to solve',
    ];
    const shown = build.map((line) => text(mask('build', line)));
    expectNone(shown, bodyOf(key));
    expect(shown.at(-1)).toBe('ERROR: failed to solve');
  });

  it('is taken out of what is followed from within it', () => {
    const key = linesOf(rsa);
    for (let cut = 1; cut < key.length - 1; cut++) {
      const mask = createKeyStream({ from: 'unknown' });
      const lines = [...key.slice(cut), ...ordinary];
      expectNone(lines.map((line) => text(mask('api', line))), bodyOf(key)); // biome-ignore format: one line reads better
    }
  });

  it('has ended where its last line never comes', () => {
    const after = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? 'ready' : `line ${at} of the log`));
    const lines = [`found ${begin('RSA ')}`, ...after];
    const shown = [`found ${REDACTED}`, ...after];
    expect(redact(lines)).toEqual(shown);
    expect(text(lines.join('\n'))).toBe(shown.join('\n'));
    const mask = createKeyStream();
    expect(lines.map((line) => text(mask('api', line)))).toEqual(shown);
  });

  it('is no certificate, no public key and no digest', () => {
    const certificate = [
      '-----BEGIN CERTIFICATE-----',
      ...wrapped(base64(600), 64),
      '-----END CERTIFICATE-----',
    ];
    const harmless = [...certificate, 'a'.repeat(64), 'sha256:'.padEnd(71, '0123456789abcdef')];
    expect(redact(harmless)).toBe(harmless);
    const shown = redact([...linesOf(rsa), ...harmless]);
    expect(shown.slice(-harmless.length)).toEqual(harmless);
    const mask = createKeyStream();
    expect([...linesOf(rsa), ...harmless].map((line) => mask('api', line)).slice(-harmless.length)).toEqual(
      harmless,
    );
  });
});

describe('any private key between any lines', () => {
  const word = fc.stringMatching(/^[a-z]{1,9}$/).filter((one) => !/pass|pwd|secret|token|key|auth|cred|cookie|jwt|bearer/.test(one)); // biome-ignore format: one line reads better
  const sentence = fc.array(word, { minLength: 2, maxLength: 6 }).map((words) => `${words.join(' ')}.`);
  const line = fc.oneof(sentence, fc.nat(99_999).map((ms) => `GET /orders 200 in ${ms} ms`)); // biome-ignore format: one line reads better
  const body = fc
    .tuple(fc.uint8Array({ minLength: 100, maxLength: 700 }), fc.constantFrom(64, 70, 76))
    .map(([bytes, width]) => wrapped(Buffer.from(bytes).toString('base64'), width))
    // All zeros is no key.
    .filter((lines) => lines.every((one) => new Set(one).size > Math.min(one.length / 4, 4)));
  const label = fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ');
  const dress = fc.constantFrom(...DRESSES.map(([, put]) => put));
  const log = fc
    .tuple(fc.array(line), label, body, fc.array(line), dress)
    .map(([before, kind, key, after, put]) => {
      const all = [...before.map((text) => ({ text, isBody: false })), { text: put(begin(kind), 0), isBody: false }, ...key.map((one, at) => ({ text: put(one, at), isBody: true, secret: one })), { text: put(end(kind), 9), isBody: false }, ...after.map((text) => ({ text, isBody: false }))]; // biome-ignore format: one line reads better
      return all as { text: string; isBody: boolean; secret?: string }[];
    });
  const isMark = (text: string) => /-----(?:BEGIN|END)/.test(text);
  const cut = log.chain((all) =>
    fc
      .tuple(fc.nat(all.length), fc.nat(all.length))
      .map(([one, other]) => all.slice(Math.min(one, other), Math.max(one, other))),
  );

  it('is taken out of a list that is cut anywhere, and nothing else is', () => {
    fc.assert(
      fc.property(cut, (lines) => {
        // A single line from the middle of anything says nothing of what it is.
        fc.pre(lines.length > 1);
        const shown = redact(lines.map(({ text }) => text));
        for (const [at, { text, secret }] of lines.entries()) {
          if (secret !== undefined) expect(shown[at]).not.toContain(secret);
          else if (!isMark(text)) expect(shown[at]).toBe(text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is taken out of what comes one by one, and nothing else is', () => {
    fc.assert(
      fc.property(log, (lines) => {
        const mask = createKeyStream();
        for (const { text: line, secret } of lines) {
          const shown = text(mask('api', line));
          if (secret !== undefined) expect(shown).not.toContain(secret);
          else if (!isMark(line)) expect(shown).toBe(line);
        }
      }),
      { numRuns: 500 },
    );
  });
});
