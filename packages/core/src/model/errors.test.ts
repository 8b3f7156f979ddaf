import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { adapterErrorCodes } from './adapter-error-codes.js';
import { ArgusError, isArgusError } from './argus-error.js';
import { coreErrorCodes } from './core-error-codes.js';
import { environmentErrorCodes } from './environment-error-codes.js';
import { defineErrorCode, isErrorOf, type StructuredError, structuredError } from './error-code.js';
import { toStructuredError } from './to-structured-error.js';

const licenceGone = defineErrorCode({
  code: 'LICENCE_GONE',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'The licence server has no seats',
  suggestedActions: ['licence.release'],
  details: z.object({ seats: z.number() }),
});

describe('an error code', () => {
  it('gives its occurrences all the fields that programs act on', () => {
    const error = structuredError(licenceGone, { message: 'No seats', details: { seats: 0 } }, 7);
    expect(error).toEqual({
      code: 'LICENCE_GONE',
      category: 'infrastructure',
      severity: 'fatal',
      message: 'No seats',
      details: { seats: 0 },
      suggestedActions: ['licence.release'],
      timestamp: 7,
    });
  });

  it('lets an occurrence say how bad it is', () => {
    const error = structuredError(
      licenceGone,
      { message: '', severity: 'warning', details: { seats: 1 } },
      0,
    );
    expect(error.severity).toBe('warning');
  });

  it('tells the compiler what its details are, also a third party’s', () => {
    const error: StructuredError = structuredError(licenceGone, { message: '', details: { seats: 2 } }, 0);
    expect(isErrorOf(error, licenceGone)).toBe(true);
    if (isErrorOf(error, licenceGone)) expectTypeOf(error.details.seats).toBeNumber();
    // @ts-expect-error the details lack `seats`
    structuredError(licenceGone, { message: '', details: {} }, 0);
    // @ts-expect-error a code with details must be given some
    structuredError(licenceGone, { message: '' }, 0);
  });

  it('cannot be changed by someone who was given an occurrence', () => {
    structuredError(licenceGone, { message: '', details: { seats: 0 } }, 0).suggestedActions.push('x');
    expect(licenceGone.suggestedActions).toEqual(['licence.release']);
  });
});

describe('ArgusError', () => {
  it('carries the occurrence and the cause through throw and catch', () => {
    const cause = new Error('socket closed');
    const error = new ArgusError(licenceGone, { message: 'No seats', details: { seats: 0 }, cause });
    expect(error).toMatchObject({ message: 'No seats', code: 'LICENCE_GONE', cause, name: 'ArgusError' });
    expect(toStructuredError(error)).toBe(error.error);
  });

  it('is recognised when another copy of core threw it', () => {
    const fromElsewhere = Object.assign(new Error('x'), { [Symbol.for('argusai.error')]: true });
    expect(isArgusError(fromElsewhere)).toBe(true);
    expect(isArgusError(new Error('x'))).toBe(false);
    expect(isArgusError(null)).toBe(false);
  });
});

describe('toStructuredError', () => {
  it.each([
    ['an error', new TypeError('x is not a function'), 'x is not a function'],
    ['an error without a message', new Error(), 'Error'],
    ['a string', 'boom', 'thrown: boom'],
    ['an object', { status: 500 }, 'thrown: {"status":500}'],
    ['an error whose message is none', Object.assign(new Error('x'), { message: { a: 1 } }), '{"a":1}'],
    [
      'what only says that it carries a code',
      Object.assign(new Error('x'), { [Symbol.for('argusai.error')]: true }),
      'x',
    ],
    ['undefined', undefined, 'thrown: undefined'],
    ['null', null, 'thrown: null'],
  ])('gives %s a code', (_, thrown, message) => {
    expect(toStructuredError(thrown, 3)).toMatchObject({ code: 'INTERNAL_ERROR', message, timestamp: 3 });
  });

  it('keeps what the system and the cause say', () => {
    const thrown = Object.assign(new Error('no', { cause: new Error('disk') }), { code: 'ENOSPC' });
    expect(toStructuredError(thrown).details).toMatchObject({
      systemCode: 'ENOSPC',
      cause: { message: 'disk' },
    });
  });

  it('tells a cancellation from a defect', () => {
    const controller = new AbortController();
    controller.abort();
    expect(toStructuredError(controller.signal.reason).code).toBe('CANCELLED');
  });
});

describe('the codes of core', () => {
  it('are all different and complete', () => {
    expect(new Set(coreErrorCodes.map(({ code }) => code)).size).toBe(coreErrorCodes.length);
    for (const { code, summary, causes = [], remedy = '', remedies = {} } of [
      ...coreErrorCodes,
      ...adapterErrorCodes,
      ...environmentErrorCodes,
    ]) {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(summary).not.toBe('');
      for (const sentence of [...causes, remedy, ...Object.values(remedies)])
        expect(sentence, code).toMatch(/^[A-Z].*\.$/);
      expect(causes.length, code).toBeGreaterThan(0);
    }
  });
});
