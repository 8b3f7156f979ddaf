import { describe, expect, it } from 'vitest';
import { defineErrorCode } from './error-code.js';
import { remedyOf } from './remedy-of.js';

const given = { full: 'Wait for a seat.', gone: 'Start the server.' };
const seatsGone = defineErrorCode({
  code: 'SEATS_GONE',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'No seat is left',
  remedy: 'Ask around.',
  remedies: given,
});

describe('the remedy of a problem', () => {
  it('is the one for its reason', () => {
    expect(remedyOf(seatsGone, { reason: 'full' })).toBe('Wait for a seat.');
    expect(remedyOf(seatsGone, { reason: 'gone', host: 'a' })).toBe('Start the server.');
  });

  it.each([
    ['a reason that has none', { reason: 'stolen' }],
    ['no reason', {}],
    ['a reason that is no text', { reason: ['full'] }],
    ['a reason that every object has', { reason: 'toString' }],
    ['a reason that is a part of every object', { reason: '__proto__' }],
  ])('is that of the code for %s', (_, details) => {
    expect(remedyOf(seatsGone, details)).toBe('Ask around.');
  });

  it('names the folder that it is about, as it can be pasted into a shell', () => {
    const trusting = { remedy: 'Type argus trust DIR; ARGUS_STATE_DIR is another.' };
    const named = (folder: string) => remedyOf(trusting, { folder });
    expect(named('/srv/shop')).toBe('Type argus trust /srv/shop; ARGUS_STATE_DIR is another.');
    expect(named('/srv/$& shop')).toBe("Type argus trust '/srv/$& shop'; ARGUS_STATE_DIR is another.");
  });

  it('is nothing where nobody has said any', () => {
    expect(remedyOf(undefined, { reason: 'full' })).toBeUndefined();
    expect(remedyOf({}, { reason: 'full' })).toBeUndefined();
    expect(remedyOf({ remedies: given }, { reason: 'stolen' })).toBeUndefined();
    expect(remedyOf({ remedies: given }, { reason: 'gone' })).toBe('Start the server.');
  });

  it('cannot be changed by someone who was given the code', () => {
    expect(Object.isFrozen(seatsGone.remedies)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });
});
