import { type StructuredError, serviceStartFailed, structuredError } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { errorLines } from './error.js';

const shown = (error: StructuredError) => paint(errorLines(error, { cwd: '/' }), { color: false });

const ended = (details: object) => ({
  ...structuredError(
    serviceStartFailed,
    { message: 'api ended', details: { service: 'api', reason: 'exited' } },
    0,
  ),
  details: { ...details },
});

describe('an error', () => {
  it('shows what the service printed last', () => {
    expect(shown(ended({ lines: ['one', 'two'] }))).toBe(
      'error: api ended\ncode: SERVICE_START_FAILED\nits output:\n  | one\n  | two\nnext: argus explain SERVICE_START_FAILED\n',
    );
  });

  it('says that a service has printed nothing, where its output is what one would read', () => {
    const silent = { ...ended({ lines: [] }), code: 'HEALTH_CHECK_TIMEOUT' };
    expect(shown(silent)).toContain('\nit has printed nothing\n');
    expect(shown(ended({ lines: [] }))).not.toContain('printed');
  });

  it('shows no more of it than fits', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const text = shown(ended({ lines }));
    expect(text).toContain('its output (the last 20 of 100 lines):\n  | line 80\n');
    expect(text).not.toContain('line 79');
    expect(text).toContain('  | line 99\n');
  });

  it('leaves out the middle of what is too long to be read', () => {
    const message = `unknown key "${'x'.repeat(120_000)}"; did you mean services?`;
    const text = shown({ ...ended({}), message, details: { problems: [message, 'other'] } });
    expect(text.length).toBeLessThan(3_000);
    expect(text).toMatch(/^error: unknown key "x+… \(\d+ more characters\) …x+"; did you mean services\?$/m);
  });

  it('does not repeat what a build said, which was shown when it came', () => {
    expect(shown({ ...ended({ lines: ['no'] }), code: 'BUILD_FAILED' })).not.toContain('its output');
  });

  it('says what could not be taken down again, each with its reason, or that everything was', () => {
    const failed = ['service db: no answer', 'run r1 on docker: no answer'];
    expect(shown(ended({ rollback: { removed: ['container web'], failed } }))).toContain(
      'not taken down: service db: no answer\nnot taken down: run r1 on docker: no answer\nargus clean takes down what is left, as soon as that is possible\n',
    );
    expect(shown(ended({ rollback: { removed: ['container web'], failed: [] } }))).toContain(
      'everything that was started has been taken down again\n',
    );
    expect(
      shown(ended({ rollback: { removed: ['container web'], left: ['db', 'api'], failed: [] } })),
    ).toContain('everything that was started has been taken down again\nleft as it was before: db, api\n');
    expect(shown(ended({ rollback: { removed: [], failed: [] } }))).not.toContain('taken down');
    expect(shown(ended({ rollback: { removed: [], left: ['db'], gone: ['api'], failed: [] } }))).toContain(
      'gone: api as it was before; argus setup brings back what works',
    );
  });
});
