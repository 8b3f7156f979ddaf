import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineChecker } from '../model/checker.js';
import { defineErrorCode } from '../model/error-code.js';
import { createRegistries } from './registries.js';

const checker = (name: string) => defineChecker({ name, check: ({ pass }) => pass('fine') });
const code = (name: string) =>
  defineErrorCode({ code: name, category: 'system', severity: 'warning', summary: 'A test' });

const recoverer = { name: 'mine.fix', risk: 'safe', plan: () => [], apply: () => 1 };
const operation = {
  name: 'fine',
  summary: 'A test',
  input: z.strictObject({}),
  output: z.unknown(),
  run: async () => 1,
  effects: { readOnly: true, destructive: false, idempotent: true },
};

describe('a registry', () => {
  it('keeps items in the order of registration, with their owners', () => {
    const { checkers } = createRegistries();
    checkers.addingFor('ports').add(checker('ports.conflicts'));
    checkers.addingFor('disk').add(checker('disk.space'));
    expect(checkers.names()).toEqual(['ports.conflicts', 'disk.space']);
    expect(checkers.ownerOf('disk.space')).toBe('disk');
    expect(checkers.get('disk.space')?.name).toBe('disk.space');
    expect(checkers.get('disk.nothing')).toBeUndefined();
    expect(checkers.ownerOf('disk.nothing')).toBeUndefined();
  });

  it('says which two plugins clash', () => {
    const { errorCodes } = createRegistries();
    errorCodes.addingFor('disk').add(code('DISK_SPACE_LOW'));
    expect(() => errorCodes.addingFor('other').add(code('DISK_SPACE_LOW'))).toThrow(
      'the error code DISK_SPACE_LOW is registered by two plugins: disk and other',
    );
  });

  it('says when a plugin registers something twice', () => {
    const { checkers } = createRegistries();
    checkers.addingFor('disk').add(checker('disk.space'));
    expect(() => checkers.add(checker('disk.space'))).toThrow('registers the checker disk.space twice');
  });

  it('accepts nothing after it was frozen', () => {
    const { checkers } = createRegistries();
    checkers.freeze();
    expect(() => checkers.addingFor('late').add(checker('late.one'))).toThrow(
      'after the kernel was assembled',
    );
  });

  it.each([
    ['a name of another plugin', 'mine', checker('disk.space'), 'belongs to the plugin disk; mine may only'],
    ['a name without a plugin', 'mine', checker('space'), 'is not called <plugin>.<what>'],
    ['no name', 'mine', {} as never, 'without a name'],
    ['no check function', 'mine', { name: 'mine.x' } as never, 'has no check function'],
  ])('refuses a checker with %s', (_, owner, item, problem) => {
    const { checkers } = createRegistries();
    expect(() => checkers.addingFor(owner).add(item)).toThrow(problem);
  });

  it.each([
    ['errorCodes', code('lowercase'), 'not in upper snake case'],
    ['errorCodes', { ...code('FINE'), category: 'x' } as never, 'has no category of'],
    ['errorCodes', { ...code('FINE'), severity: 'x' } as never, 'has no severity of'],
    ['errorCodes', { ...code('FINE'), suggestedActions: 'x' } as never, 'are no list of names'],
    ['errorCodes', { ...code('FINE'), suggestedActions: [7] } as never, 'are no list of names'],
    ['errorCodes', { ...code('FINE'), causes: 'Bad luck.' } as never, 'are no list of sentences'],
    ['errorCodes', { ...code('FINE'), remedies: ['Wait.'] } as never, 'are no sentences by reason'],
    ['errorCodes', { ...code('FINE'), remedies: 'Wait.' } as never, 'are no sentences by reason'],
    ['errorCodes', { ...code('FINE'), remedies: null } as never, 'are no sentences by reason'],
    ['errorCodes', { ...code('FINE'), remedies: { full: 7 } } as never, 'are no sentences by reason'],
    ['checkers', { ...checker('mine.x'), codes: ['FINE'] } as never, 'are no list of error codes'],
    ['checkers', { ...checker('mine.x'), requires: 'mine.y' } as never, 'no list of names'],
    ['checkers', { ...checker('mine.x'), requires: [7] } as never, 'no list of names'],
    ['checkers', { ...checker('mine.x'), timeoutMs: '5s' } as never, 'no number of milliseconds'],
    [
      'recoverers',
      { name: 'mine.fix', risk: 'x', plan: () => [], apply: () => 1 } as never,
      'has no risk of',
    ],
    ['operations', { ...operation, input: undefined } as never, 'has no schema'],
    ['operations', { ...operation, name: undefined } as never, 'without a name'],
    ['operations', { ...operation, summary: undefined } as never, 'has no summary'],
    [
      'operations',
      { ...operation, effects: undefined } as never,
      'readOnly, destructive, idempotent must be',
    ],
    [
      'operations',
      { ...operation, effects: { readOnly: true, destructive: 0 } } as never,
      ': destructive, idem',
    ],
    ['operations', { ...operation, effectsOf: {} } as never, 'effectsOf that is no function'],
    ['operations', { ...operation, guidence: 'x' } as never, 'a key guidence, did you mean guidance?'],
    ['errorCodes', { ...code('FINE'), summary: undefined } as never, 'has no summary'],
    ['errorCodes', { ...code('FINE'), remdy: 'x' } as never, 'a key remdy, did you mean remedy?'],
    [
      'errorCodes',
      { ...code('FINE'), remedy: 'Wait.', remedys: {} } as never,
      'a key remedys, did you mean remedies?',
    ],
    ['checkers', { ...checker('mine.x'), follows: 'mine.y' } as never, 'follows something'],
    ['checkers', { ...checker('mine.x'), timeout: 5 } as never, 'a key timeout, did you mean timeoutMs?'],
    ['checkers', { ...checker('mine.x'), requirs: [] } as never, 'a key requirs, did you mean requires?'],
    ['recoverers', { ...recoverer, handels: [] } as never, 'a key handels, did you mean handles?'],
    ['recoverers', { ...recoverer, evidence: {} } as never, 'an evidence that is no function'],
    ['recoverers', { name: 'mine.fix', plan: () => [] } as never, 'has no apply function'],
    ['operations', { name: 'Not Kebab', run: () => undefined } as never, 'not in kebab case'],
    ['operations', { name: 'fine' } as never, 'has no run function'],
  ] as const)('refuses bad %s', (kind, item, problem) => {
    expect(() =>
      createRegistries()
        [kind].addingFor('mine')
        .add(item as never),
    ).toThrow(problem);
  });

  it('leaves keys alone that a later minor of core may know', () => {
    const { checkers, operations } = createRegistries();
    checkers.addingFor('mine').add({ ...checker('mine.x'), weight: 3, timeoutMs: 5, timeout: 5 } as never);
    operations.addingFor('mine').add({ ...operation, permissions: [] } as never);
    expect(checkers.names()).toEqual(['mine.x']);
  });
});
