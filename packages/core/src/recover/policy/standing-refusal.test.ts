import { describe, expect, it } from 'vitest';
import { standingRefusal } from './standing-refusal.js';

const names = ['service:db', 'container:argus-shop-1-db'];
const refusal = (autonomy: 'observe' | 'cautious' | 'moderate' | 'full', exclude: string[] = []) =>
  standingRefusal({ autonomy, exclude }, { risk: 'disruptive', names });

describe('what speaks against touching something', () => {
  it.each(['observe', 'cautious'] as const)('is the autonomy %s', (autonomy) => {
    expect(refusal(autonomy)).toMatchObject({ rule: 'autonomy', reason: expect.stringContaining(autonomy) });
  });

  it.each(['moderate', 'full'] as const)('is nothing at autonomy %s', (autonomy) => {
    expect(refusal(autonomy, ['service:api', 'container:db'])).toBeUndefined();
  });

  it.each(['service:db', 'service:*', 'container:*-db'])(
    'is that %s is excluded, at any autonomy',
    (pattern) => {
      expect(refusal('full', [pattern])).toMatchObject({
        rule: 'exclusion',
        reason: expect.stringContaining(pattern),
      });
      expect(refusal('observe', [pattern])).toMatchObject({ rule: 'exclusion' });
    },
  );
});
