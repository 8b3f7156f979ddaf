import { expect, it } from 'vitest';
import { thingsIn } from './things-in.js';

it('says what would be refused, of what has a name and of what is a step', () => {
  const step = { recoverer: 'docker.prune', action: 'remove', target: 'image:old', description: 'remove it' };
  const refusal = { rule: 'exclusion', reason: 'excluded: image:old matches image:*' };
  expect(thingsIn({ plan: { steps: [step] }, refused: [{ ...step, refusal }] })).toEqual([
    'remove image:old: remove it',
    'not image:old: excluded: image:old matches image:*',
  ]);
  expect(thingsIn({ removed: [], refused: [{ name: 'container:x', reason: 'it is too young' }] })).toEqual([
    'nothing can be done',
    'not container:x: it is too young',
  ]);
});
