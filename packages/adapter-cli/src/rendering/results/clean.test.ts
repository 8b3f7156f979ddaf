import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { cleanLines } from './clean.js';

const text = (lines: Parameters<typeof paint>[0]) => paint(lines, { color: false });

describe('a clean', () => {
  const container = (name: string) => ({ type: 'container', name });
  const removed = [container('a'), container('b'), { type: 'network', name: 'n' }];

  it('counts what was removed', () => {
    expect(text(cleanLines({ dryRun: false, removed, failed: [] }))).toBe(
      'down: 2 containers and 1 network removed\n',
    );
    const processes = [
      { type: 'process', name: 'a' },
      { type: 'process', name: 'b' },
    ];
    expect(text(cleanLines({ dryRun: false, removed: processes, failed: [] }))).toBe(
      'down: 2 processes removed\n',
    );
  });

  it('names the tests that use what is taken down', () => {
    const usedBy = [
      { host: 'here', pid: 41, suites: ['smoke', 'e2e'] },
      { host: 'here', pid: 42, suites: [] },
    ];
    expect(text(cleanLines({ dryRun: false, removed, failed: [], usedBy }))).toBe(
      [
        'notice: argus run, process 41, was running smoke, e2e with it',
        'notice: argus run, process 42, was using it',
        'down: 2 containers and 1 network removed',
        '',
      ].join('\n'),
    );
    expect(text(cleanLines({ dryRun: true, removed, failed: [], usedBy: usedBy.slice(1) }))).toMatch(
      /^notice: argus run, process 42, is using it\nwould remove/,
    );
  });

  it('lists what would be removed', () => {
    expect(text(cleanLines({ dryRun: true, removed, failed: [] }))).toBe(
      'would remove container a\nwould remove container b\nwould remove network n\n',
    );
  });

  it('names what could not be removed', () => {
    const failed = [
      { ...container('a'), error: { message: 'busy' } },
      { type: 'service', name: 'web', error: { message: 'service web: gone', details: { reason: 'gone' } } },
    ];
    const each = 'could not remove container a: busy\ncould not remove service web: gone\n';
    expect(text(cleanLines({ dryRun: false, removed: removed.slice(2), failed }))).toBe(
      `${each}not down: 1 network removed, 2 not; argus clean takes down the rest\n`,
    );
    expect(text(cleanLines({ dryRun: false, removed: [], failed }, 'argus clean again'))).toBe(
      `${each}not down: nothing removed, 2 not; argus clean again takes down the rest\n`,
    );
  });

  it('says that a run of this folder is up, which was not meant', () => {
    expect(text(cleanLines({ dryRun: false, removed: [], failed: [], kept: 'r1' }))).toBe(
      'There was nothing to remove\nrun r1 is up in this folder; argus clean takes it down\n',
    );
  });

  it('does not say that there was nothing where another state folder has something', () => {
    expect(text(cleanLines({ dryRun: false, removed: [], failed: [], foreign: ['r7'] }))).toBe(
      'Nothing was removed: what is here was set up with another state folder\n',
    );
  });

  it('names what may be left where nobody could look, in one line for each reason', () => {
    const unlooked = ['db', 'web'].map((name) => ({
      ...{ type: 'service', name, unlooked: true },
      error: { message: `service ${name}: gone`, details: { reason: 'gone' } },
    }));
    const each = 'could not look: gone; this may be left: service db, service web\n';
    expect(text(cleanLines({ dryRun: false, removed: [], failed: unlooked }))).toBe(
      `${each}unknown: nothing removed, 2 not looked at; argus clean takes down the rest\n`,
    );
    expect(text(cleanLines({ dryRun: true, removed: [], failed: unlooked }))).toBe(each);
  });

  it('names who did not end by himself', () => {
    const clean = { dryRun: false, removed, failed: [], killed: ['a', 'b'] };
    expect(text(cleanLines(clean))).toMatch(
      /^notice: a, b did not end on SIGTERM and had to be killed\ndown: /,
    );
  });

  it('says when there was nothing', () => {
    for (const dryRun of [true, false])
      expect(text(cleanLines({ dryRun, removed: [], failed: [] }))).toBe('There was nothing to remove\n');
  });
});
