import { describe, expect, it } from 'vitest';
import { openError } from './open-error.js';

describe('an error before there is a kernel', () => {
  it('has a code, and tells no secret of the environment', () => {
    const secret = ['blue', 'horse', 'battery'].join('-');
    const error = openError(new Error(`cannot load ${secret}`), { MY_TOKEN: secret });
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'cannot load [redacted]' });
  });
});
