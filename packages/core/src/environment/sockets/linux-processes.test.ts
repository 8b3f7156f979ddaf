import { describe, expect, it } from 'vitest';
import { commandOf, ownersOf } from './linux-processes.js';

describe.runIf(process.platform === 'linux')('the processes of Linux', () => {
  it('are called by what they were started with', () => {
    expect(commandOf(process.pid)).toContain('node');
  });

  it('have no name when they are gone', () => {
    // Above the highest number that the kernel gives.
    expect(commandOf(2 ** 22 + 1)).toBeUndefined();
  });

  it('are not searched to the end when the work is cancelled', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'));
    await expect(ownersOf(new Set(['no such socket']), cancelled, 0)).rejects.toThrow('enough');
  });
});
