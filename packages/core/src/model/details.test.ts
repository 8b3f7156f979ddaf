import { expect, it } from 'vitest';
import * as z from 'zod';
import { adapterErrorCodes } from './adapter-error-codes.js';
import { coreErrorCodes } from './core-error-codes.js';
import { environmentErrorCodes } from './environment-error-codes.js';
import { defineErrorCode } from './error-code.js';

const codes = [...coreErrorCodes, ...adapterErrorCodes, ...environmentErrorCodes].flatMap(
  ({ code, details }) => (details ? [{ code, details }] : []),
);

it.each(codes)('the details of $code can be described to a program', ({ details }) => {
  const { type, properties = {} } = z.toJSONSchema(details());
  expect(type).toBe('object');
  expect(Object.keys(properties)).not.toEqual([]);
});

it('the details of a code may be given as a schema or as what makes one', () => {
  const base = { code: 'LICENCE_GONE', category: 'system', severity: 'fatal', summary: 'gone' } as const;
  const schema = z.object({ host: z.string() });
  for (const details of [schema, () => schema]) {
    const code = defineErrorCode({ ...base, details });
    expect(code.details?.().safeParse({ host: 1 }).success).toBe(false);
    expect(code.details?.().safeParse({ host: 'a' }).success).toBe(true);
  }
});
