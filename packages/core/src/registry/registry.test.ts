import { describe, expect, it } from 'vitest';
import { defineChecker } from '../model/checker.js';
import { defineErrorCode } from '../model/error-code.js';
import { createRegistries } from './registries.js';

const checker = (name: string) => defineChecker({ name, check: ({ pass }) => pass('fine') });
const code = (name: string) =>
  defineErrorCode({ code: name, category: 'system', severity: 'warning', summary: 'A test' });

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
    ['checkers', { ...checker('mine.x'), codes: ['FINE'] } as never, 'are no list of error codes'],
    ['checkers', { ...checker('mine.x'), requires: 'mine.y' } as never, 'no list of names'],
    ['checkers', { ...checker('mine.x'), requires: [7] } as never, 'no list of names'],
    ['checkers', { ...checker('mine.x'), timeoutMs: '5s' } as never, 'no number of milliseconds'],
    [
      'recoverers',
      { ...{ name: 'mine.fix', risk: 'x' }, plan: () => [], apply: () => 1 } as never,
      'has no risk of',
    ],
    ['operations', { name: 'fine', run: () => 1 } as never, 'has no schema'],
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
});
