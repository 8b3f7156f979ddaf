import { uptime } from 'node:os';
import { describe, expect, it } from 'vitest';
import { bootSession, isSameSession } from './boot-session.js';

describe('the session of a machine', () => {
  it('is the same whenever it is asked for', () => {
    expect(isSameSession(bootSession(), bootSession())).toBe(true);
  });

  it('is named by when it began where the machine has no id for it', () => {
    const session = bootSession('/there/is/no/such/file');
    expect(isSameSession(session, bootSession('/there/is/no/such/file'))).toBe(true);
    expect(isSameSession(session, String(Math.round(Date.now() / 1000 - uptime()) - 60))).toBe(false);
  });

  it('is another one when its id is another', () => {
    expect(
      isSameSession('5f0c1c1e-0000-4000-8000-000000000001', '5f0c1c1e-0000-4000-8000-000000000002'),
    ).toBe(false);
    expect(isSameSession('1794797000', '5f0c1c1e-0000-4000-8000-000000000002')).toBe(false);
  });
});
