import { expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/demo-project.js';
import { leftUnhandled } from './left-unhandled.js';

it('tells with a code and a next step, and without the secrets that were found by then', () => {
  const secrets = new Set<string>();
  const cwd = temporaryFolder();
  const env = { ARGUS_STATE_DIR: cwd, DB_PASSWORD: 'env-S3cret-2' };
  const tell = leftUnhandled(['check', '--debug'], { env, secrets, cwd, version: '1.0.0' });
  secrets.add('Opt-S3cret-1');
  const cause = new Error('because of Opt-S3cret-1');
  const told = tell(new Error('slip with Opt-S3cret-1 and env-S3cret-2', { cause }));
  expect(told).toMatch(
    /^warning: left unhandled by a plugin: slip with \[redacted\] and \[redacted\]\ncode: INTERNAL_ERROR\n/,
  );
  expect(told).toContain('\nnext: ');
  expect(told).toContain('because of [redacted]');
  expect(told).not.toMatch(/S3cret/);
});
