import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { adapterErrorCodes } from '../model/adapter-error-codes.js';
import { coreErrorCodes } from '../model/core-error-codes.js';
import { environmentErrorCodes } from '../model/environment-error-codes.js';
import type { ErrorCode } from '../model/error-code.js';
import { reasonsOf } from './reasons-of.js';

const codes: readonly ErrorCode[] = [...coreErrorCodes, ...adapterErrorCodes, ...environmentErrorCodes];
const withRemedies = codes.filter(({ remedies }) => remedies !== undefined);

describe('the reasons of a code', () => {
  it('are those that its schema lists, also where there is not always one', () => {
    const reason = z.enum(['full', 'gone']);
    expect(reasonsOf({ details: () => z.object({ reason }) })).toEqual(['full', 'gone']);
    expect(reasonsOf({ details: () => z.object({ reason: reason.optional() }) })).toEqual(['full', 'gone']);
  });

  it('are not known where its schema leaves them open, or there is none', () => {
    expect(reasonsOf({ details: () => z.object({ reason: z.string() }) })).toBeUndefined();
    expect(reasonsOf({ details: () => z.object({ seats: z.number() }) })).toBeUndefined();
    expect(reasonsOf({ details: () => ({}) as z.ZodType<Record<string, string>> })).toBeUndefined();
    expect(reasonsOf({})).toBeUndefined();
  });

  it.each(withRemedies.map((code) => [code.code, code] as const))(
    'are all that core has remedies for: %s',
    (_, code) => {
      expect(reasonsOf(code)).toEqual(expect.arrayContaining(Object.keys(code.remedies ?? {})));
    },
  );
});
