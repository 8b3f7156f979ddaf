import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArgusError, cancelled, openError } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { withCrashReport } from './crash-report.js';
import { temporaryFolder } from './fixtures/demo-project.js';
import { answer, failure } from './outcome.js';

const secret = ['swordfish', '77'].join('-');
const crashed = (message: string, state: string) => {
  const env = { ARGUS_STATE_DIR: state, DB_PASSWORD: secret };
  const thrown = new Error(message, { cause: new Error(`no ${secret} there`) });
  const scene = { env, secrets: new Set<string>(), cwd: '/shop', version: '1.2.3' };
  return { outcome: failure(openError(thrown, env), thrown), thrown, env, scene };
};

describe('a crash', () => {
  it('is written down with versions, the command and the stack, without secrets and for nobody else', () => {
    const state = join(temporaryFolder(), 'state');
    const { outcome, scene } = crashed(`cannot log in with ${secret}`, state);
    const { envelope } = withCrashReport(outcome, ['check', '--api-token', 'abcdef12345'], scene);
    const report = envelope.ok ? '' : String(envelope.error.details.report);
    expect(report).toMatch(/reports\/crash-\d{8}T\d{6}Z-\d+\.txt$/);
    expect(statSync(report).mode & 0o777).toBe(0o600);
    const text = readFileSync(report, 'utf8');
    expect(text).toMatch(
      /^argus crash report\ntime: \S+\nargus: 1\.2\.3\nnode: v\S+ \w+ \w+\ncommand: argus check --api-token \[redacted\]\nfolder: \/shop\nplugins: none were loaded\ncode: INTERNAL_ERROR\nmessage: cannot log in with \[redacted\]\n/,
    );
    expect(text).toMatch(
      /\nError: cannot log in with \[redacted\]\n {4}at [\s\S]*\ncaused by Error: no \[redacted\] there\n/,
    );
    expect(text).not.toContain(secret);
  });

  it('says why it could not be written down, and is told all the same', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { outcome, scene } = crashed('boom', join(file, 'state'));
    expect(withCrashReport(outcome, [], scene).envelope).toMatchObject({
      error: { message: 'boom', details: { noReport: expect.stringContaining('ENOTDIR') } },
    });
  });

  it('that happened beside the work is written down, too', () => {
    const state = temporaryFolder();
    const { outcome, thrown, scene } = crashed('boom', state);
    const notice = outcome.envelope.ok ? undefined : outcome.envelope.error;
    const beside = withCrashReport({ ...answer('', {}), thrown, ...(notice ? { notice } : {}) }, [], scene);
    expect(beside.notice?.details.report).toEqual(expect.stringContaining(state));
  });

  it('leaves what else there was to tell', () => {
    const { outcome, scene } = crashed('no', temporaryFolder());
    const notices = [new ArgusError(cancelled, { message: 'beside it' }).error];
    const { envelope } = withCrashReport(
      { ...outcome, envelope: { ...outcome.envelope, notices } },
      [],
      scene,
    );
    expect(envelope.notices).toEqual(notices);
  });

  it('does not fill the folder', () => {
    const state = temporaryFolder();
    const { outcome, scene } = crashed('boom', state);
    withCrashReport(outcome, [], scene);
    const folder = join(state, 'reports');
    const old = Array.from({ length: 25 }, (_, index) => `crash-20200101T0000${10 + index}Z-1.txt`);
    for (const name of [...old, 'notes.txt']) writeFileSync(join(folder, name), '');
    withCrashReport(outcome, [], scene);
    const left = readdirSync(folder).sort();
    expect(left).toHaveLength(21);
    expect(left).toEqual(expect.arrayContaining(['notes.txt', 'crash-20200101T000034Z-1.txt']));
    expect(left).not.toContain('crash-20200101T000010Z-1.txt');
  });

  it('is nothing that was foreseen', () => {
    const state = temporaryFolder();
    const { scene } = crashed('boom', state);
    const outcome = failure(new ArgusError(cancelled, { message: 'stopped' }).error);
    expect(withCrashReport(outcome, [], scene)).toBe(outcome);
    expect(readdirSync(state)).toEqual([]);
  });
});
