import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/json.js';
import type { Machine } from './machine.js';
import { fromDocument, toDocument } from './machine-document.js';

const fault = fc.record(
  { error: fc.string(), timestamp: fc.nat(), code: fc.string(), reason: fc.string() },
  { requiredKeys: ['error', 'timestamp'] },
);
const common = {
  era: fc.nat(),
  since: fc.nat(),
  failureCount: fc.nat(),
  history: fc.array(fault, { maxLength: 20 }),
};
const term = { owner: fc.string(), takenAt: fc.nat(), expiresAfterMs: fc.nat() };
const process = fc.record({ host: fc.string(), pid: fc.nat(), startedAt: fc.string() });
const turn = fc.oneof(fc.record(term), fc.record({ ...term, process }));
const machine: fc.Arbitrary<Machine> = fc.oneof(
  fc.record({ ...common, state: fc.constant('closed' as const) }),
  fc.record({ ...common, state: fc.constant('open' as const) }),
  fc.record({ ...common, state: fc.constant('half-open' as const), turn: fc.option(turn) }),
);

describe('a stored circuit', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(machine, (written) => {
        expect(fromDocument(JSON.parse(JSON.stringify(toDocument(written))))).toEqual(written);
      }),
    );
  });

  it('is never half understood: anything else is read as nothing', () => {
    const whole = { state: 'half-open', era: 1, since: 2, failureCount: 3, history: [], turn: null };
    expect(fromDocument(whole)).toEqual(whole);
    const spoilt: Json[] = [
      null,
      'open',
      [whole],
      {},
      { ...whole, state: 'ajar' },
      { ...whole, era: -1 },
      { ...whole, era: 1.5 },
      { ...whole, since: '2' },
      { ...whole, failureCount: null },
      { ...whole, history: {} },
      { ...whole, history: ['fault'] },
      { ...whole, history: [{ error: 1, timestamp: 1 }] },
      { ...whole, history: [{ error: 'x', timestamp: null }] },
      { ...whole, turn: 'mine' },
      { ...whole, turn: { owner: 1, takenAt: 1, expiresAfterMs: 1 } },
      { ...whole, turn: { owner: 'me', takenAt: null, expiresAfterMs: 1 } },
      { ...whole, turn: { owner: 'me', takenAt: 1 } },
    ];
    for (const document of spoilt) expect(fromDocument(document)).toBeUndefined();
  });

  it('whose turn names its process in a way nobody understands is a turn all the same', () => {
    const turn = { owner: 'me', takenAt: 1, expiresAfterMs: 1 };
    const whole = { state: 'half-open', era: 1, since: 2, failureCount: 3, history: [], turn };
    for (const process of ['me', {}, { host: 'here', pid: 1.5, startedAt: '' }, { host: 'here', pid: 1 }]) {
      expect(fromDocument({ ...whole, turn: { ...turn, process } })).toEqual(whole);
    }
  });

  it('whose history someone made too long is cut to the newest', () => {
    const history = Array.from({ length: 30 }, (_, timestamp) => ({ error: 'x', timestamp }));
    const read = fromDocument({ state: 'open', era: 1, since: 2, failureCount: 3, history });
    expect(read?.history).toEqual(history.slice(10));
  });
});
