import { describe, expect, it } from 'vitest';
import { Failures } from './failures.js';

const build = { code: 'BUILD_FAILED', message: 'The image of web could not be built: exit code 1' };
const same = { before: 'same', after: 'same' };

describe('the guard against going in circles', () => {
  it('calls for a person when the same call fails a third time and nothing has changed', () => {
    const failures = new Failures();
    const fail = () => failures.failed('setup', build, same);
    expect([fail(), fail(), fail(), fail()]).toEqual([false, false, true, true]);
  });

  it('begins again when the world, the code or the message has changed', () => {
    const failures = new Failures();
    const fail = (error = build, world = 'same') =>
      failures.failed('setup', error, { before: world, after: world });
    expect([fail(), fail(), fail(build, 'other'), fail(build, 'other')]).not.toContain(true);
    const port = { code: 'PORT_CONFLICT', message: build.message };
    expect([fail(port, 'other'), fail(port, 'other')]).not.toContain(true);
    const other = { ...port, message: 'The image of db could not be built: exit code 1' };
    expect([fail(other, 'other'), fail(other, 'other')]).not.toContain(true);
    expect(fail(other, 'other')).toBe(true);
  });

  it('takes no notice of numbers, times and identifiers in a message', () => {
    const failures = new Failures();
    const fail = (message: string) => failures.failed('setup', { code: 'X', message }, same);
    expect(fail('run 20261118-025301-ab12 of 0a1b2c3d4e5f on port 18080 took 1.2s')).toBe(false);
    expect(fail('run 20261118-025302-ab12 of 9a1b2c3d4e5f on port 18081 took 980ms')).toBe(false);
    expect(fail('run 20261118-025303-ab12 of 8a1b2c3d4e5f on port 18082 took 12s')).toBe(true);
  });

  it('does not take for a change what the failing calls leave behind themselves', () => {
    const failures = new Failures();
    const fail = (n: number) =>
      failures.failed('setup', build, { before: `world ${n}`, after: `world ${n + 1}` });
    expect([fail(1), fail(2), fail(3), fail(4)]).toEqual([false, false, true, true]);
    expect(fail(9)).toBe(false);
  });

  it('takes an open circuit for what came of the failures before it', () => {
    const failures = new Failures();
    const away = { code: 'DOCKER_UNAVAILABLE', message: 'No answer' };
    const open = { code: 'CIRCUIT_OPEN', message: 'Circuit docker is open after 5 failures in a row' };
    const fail = (error: typeof away) => failures.failed('setup', error, same);
    expect([away, away, open, open, away].map(fail)).toEqual([false, false, true, true, true]);
  });

  it('begins again when another call has changed something, and only then', () => {
    const failures = new Failures();
    const fail = () => failures.failed('setup', build, same);
    expect([fail(), fail()]).not.toContain(true);
    failures.succeeded('clean', true);
    expect([fail(), fail()]).not.toContain(true);
    failures.succeeded('clean', false);
    expect(fail()).toBe(true);
  });

  it('tells beforehand whether one more of the same would be too many, and counts nothing for that', () => {
    const failures = new Failures();
    const isHopeless = (world = 'same') => failures.isHopeless('clean', build, world);
    const fail = () => failures.failed('clean', build, same);
    expect([isHopeless(), fail(), isHopeless(), isHopeless(), fail(), isHopeless()]).toEqual([
      ...[false, false, false, false, false],
      true,
    ]);
    expect(isHopeless('other')).toBe(false);
    expect(fail()).toBe(true);
  });

  it('forgets a call that went well', () => {
    const failures = new Failures();
    const fail = () => failures.failed('setup', build, same);
    expect([fail(), fail()]).not.toContain(true);
    failures.succeeded('setup', false);
    expect(fail()).toBe(false);
  });
});
