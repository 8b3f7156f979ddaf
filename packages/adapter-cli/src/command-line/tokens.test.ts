import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OptionToken, type PositionalToken, tokensOf } from './tokens.js';

const options = {
  only: { type: 'string' },
  'dry-run': { type: 'boolean' },
  name: { type: 'string' },
} as const;
const takesValue = (name: string) => Object.hasOwn(options, name) && name !== 'dry-run';

/** What Node finds, up to the first option with one dash: argus has none and refuses it. */
function nodes(args: string[]): unknown[] {
  const found: unknown[] = [];
  const parsed = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind === 'option-terminator') continue;
    found.push(token.kind === 'option' ? shown(token) : { kind: token.kind, value: token.value });
    if (token.kind === 'option' && !token.rawName.startsWith('--')) break;
  }
  return found;
}

function ours(args: string[]): unknown[] {
  const found: unknown[] = [];
  for (const token of tokensOf(args, takesValue)) {
    found.push(shown(token));
    if (token.kind === 'option' && !token.rawName.startsWith('--')) break;
  }
  return found;
}

function shown(token: OptionToken | PositionalToken): unknown {
  if (token.kind === 'positional') return token;
  const { kind, name, rawName, value, inlineValue } = token;
  return rawName.startsWith('--') ? { kind, name, rawName, value, inlineValue } : { kind, rawName };
}

const word = fc.oneof(
  fc.constantFrom(
    '--',
    '-',
    '',
    '--only',
    '--only=',
    '--only=a',
    '--only=a=b',
    '--dry-run',
    '--dry-run=false',
  ),
  fc.constantFrom(
    '--no-dry-run',
    '--name',
    '--=',
    '--=x',
    '--==',
    '--=x=y',
    '--x=',
    '---',
    '-v',
    '-abc',
    '-n5',
    '-5',
    '-=',
    'a=b',
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ maxLength: 4 }).map((text) => `--${text}`),
);

it('finds in any arguments what Node finds in them', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      expect(ours(args)).toEqual(nodes(args));
    }),
    { numRuns: 2000 },
  );
});
