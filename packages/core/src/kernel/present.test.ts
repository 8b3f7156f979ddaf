import { describe, expect, it } from 'vitest';
import { portConflict } from '../model/environment-error-codes.js';
import { structuredError } from '../model/error-code.js';
import { buildKernel } from '../testing/build-kernel.js';
import { presentError } from './present.js';

describe('what an error suggests', () => {
  it.each([
    ['auto', ['setup', 'status']],
    ['fail', ['status']],
  ])('is not to try again what cannot work: with %s, a taken port', (portConflictStrategy, expected) => {
    const config = { resilience: { network: { portConflictStrategy } } };
    const kernel = buildKernel({ config });
    const details = { service: 'api', port: 80, protocol: 'tcp' as const };
    const error = structuredError(portConflict, { message: 'taken', details }, 0);
    expect(presentError(kernel, error).suggestedActions).toEqual(expected);
  });
});
