import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { testIo } from '../fixtures/test-io.js';
import type { Output } from '../io.js';
import { lastResort } from './last-resort.js';

const broken = () => {
  throw new Error('broken, too');
};

describe('the last resort', () => {
  it('tells what was thrown, in the format that was asked for', () => {
    const io = testIo({ cwd: tmpdir(), env: { ARGUS_STATE_DIR: '/dev/null/state' } });
    expect(lastResort(['check', '--format', 'json'], io, new Error('boom'))).toBe(1);
    expect(JSON.parse(io.stdout.text)).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL_ERROR', message: 'boom', details: { noReport: expect.any(String) } },
    });
  });

  it('never throws and never passes, whatever breaks beside it', () => {
    const io = testIo({ cwd: tmpdir() });
    const mute = { ...io, stdout: { ...io.stdout, write: broken, showCursor: broken } };
    expect(lastResort(['check', '--format', 'json'], mute, new Error('boom'))).toBe(1);
    expect(io.stderr.text).toContain('error: boom\n');
    const blind = (stderr: Output) => ({
      ...io,
      stderr,
      get env(): Record<string, string> {
        return broken();
      },
    });
    expect(lastResort(['check'], blind(io.stderr), new Error('boom'))).toBe(1);
    expect(io.stderr.text).toContain('error: something failed, and so did telling what\n');
    const gone = { ...io.stderr, write: broken, showCursor: broken };
    expect(lastResort(['check'], blind(gone), new Error('boom'))).toBe(1);
  });
});
