import { expect } from 'vitest';
import { usageInvalid } from '../../model/core-error-codes.js';

/** Expects a call to be refused because of what it asked for. */
export async function refused(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'ArgusError', code: usageInvalid.code });
}
