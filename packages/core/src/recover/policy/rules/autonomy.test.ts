import { describe, expect, it } from 'vitest';
import { circumstances, proposal } from '../fixtures/circumstances.js';
import { autonomy } from './autonomy.js';

describe('the autonomy rule', () => {
  it.each([
    ['observe', 'safe', 'autonomy: observe'],
    ['observe', 'disruptive', 'autonomy: observe'],
    ['observe', 'destructive', 'autonomy: observe'],
    ['cautious', 'safe', undefined],
    ['cautious', 'disruptive', 'autonomy: cautious does not allow disruptive repairs'],
    ['cautious', 'destructive', 'autonomy: cautious does not allow destructive repairs'],
    ['moderate', 'safe', undefined],
    ['moderate', 'disruptive', undefined],
    ['moderate', 'destructive', 'autonomy: moderate does not allow destructive repairs'],
    ['full', 'safe', undefined],
    ['full', 'disruptive', undefined],
    ['full', 'destructive', undefined],
  ] as const)('at %s answers a %s repair with %j', (level, risk, reason) => {
    const given = circumstances({ settings: { autonomy: level } });
    expect(autonomy.refuse(proposal({ risk }), given)).toBe(reason);
  });
});
