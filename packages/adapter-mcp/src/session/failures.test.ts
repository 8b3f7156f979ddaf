import { describe, expect, it } from 'vitest';
import { Failures } from './failures.js';

describe('the guard against going in circles', () => {
  it('calls for a person when the same call fails a third time and nothing has changed', () => {
    const failures = new Failures();
    const fail = (world = 'same', call = 'setup', code = 'BUILD_FAILED') =>
      failures.failed(call, code, world);
    expect([fail(), fail(), fail(), fail()]).toEqual([false, false, true, true]);
  });

  it('begins again when the world, the error or anything else has changed', () => {
    const failures = new Failures();
    const fail = (world = 'same', code = 'BUILD_FAILED') => failures.failed('setup', code, world);
    expect([fail(), fail(), fail('other'), fail('other'), fail('other', 'PORT_CONFLICT')]).not.toContain(
      true,
    );
    expect([fail(), fail()]).not.toContain(true);
    failures.succeeded('clean', true);
    expect(fail()).toBe(false);
    expect(fail()).toBe(false);
    failures.succeeded('status', false);
    expect(fail()).toBe(true);
  });

  it('forgets a call that went well', () => {
    const failures = new Failures();
    const fail = () => failures.failed('setup', 'BUILD_FAILED', 'same');
    expect([fail(), fail()]).not.toContain(true);
    failures.succeeded('setup', false);
    expect(fail()).toBe(false);
  });
});
