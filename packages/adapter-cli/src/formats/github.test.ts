import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  awkward,
  checked,
  misconfigured,
  problem,
  repaired,
  result,
  scene,
} from '../fixtures/check-outcome.js';
import type { Outcome } from '../outcome.js';
import { programFormats } from './program-formats.js';
import { workflowCommand } from './workflow-command.js';

const escapes: Record<string, string> = { '%25': '%', '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',' };
const plain = (text: string) =>
  text.replace(/%(?:25|0D|0A|3A|2C)/g, (written) => escapes[written] ?? written);

/** Reads commands as the runner of GitHub Actions does: one on a line, the first `::` after the properties ends them. */
function commands(text: string) {
  expect(text).toMatch(/\n$/);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name, properties = '', message = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
      const pairs = properties.split(',').map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(plain));
      return { name, ...Object.fromEntries(pairs), message: plain(message) };
    });
}

const read = (outcome: Outcome) => commands(programFormats.github.result(outcome, scene).text);
const summary = (outcome: Outcome) => {
  const { addition } = programFormats.github.result(outcome, {
    ...scene,
    env: { GITHUB_STEP_SUMMARY: '/x' },
  });
  expect(addition?.file).toBe('/x');
  return addition?.text ?? '';
};

describe('github', () => {
  it('says in one notice that all is well', () => {
    expect(read(checked([result('good')]))).toEqual([
      { name: 'notice', title: 'argus', message: 'healthy: 1 check passed in 40 ms' },
    ]);
  });

  it('makes an error of what fails, with what to type, and says nothing of what was skipped because of it', () => {
    expect(
      read(
        checked([
          result('bad', { status: 'fail', target: 'thing', error: problem('nothing works') }),
          result('dependent', { status: 'skipped', message: 'demo.bad failed' }),
        ]),
      ),
    ).toEqual([
      {
        name: 'error',
        title: 'DEMO_LOW',
        message: 'demo.bad thing: nothing works\nnext: argus reset-circuit demo',
      },
      { name: 'notice', title: 'argus', message: 'unhealthy: 1 failed, 0 passed, 1 skipped in 40 ms' },
    ]);
  });

  it('makes a warning of a warning, and an error when asked to fail on it', () => {
    const checks = [result('low', { status: 'warn', error: problem('too little') })];
    expect(read(checked(checks))[0]).toMatchObject({ name: 'warning', title: 'DEMO_LOW' });
    expect(read(checked(checks, { own: { failOn: 'warn' } }))[0]).toMatchObject({ name: 'error' });
  });

  it('makes an error of what could not be told, because the step fails', () => {
    expect(read(checked([result('mute', { status: 'unknown', message: 'no answer' })]))[0]).toEqual({
      name: 'error',
      title: 'demo.mute',
      message: 'no answer',
    });
  });

  it('shows a broken configuration at its line', () => {
    expect(read(misconfigured)).toEqual([
      {
        name: 'error',
        file: '/shop/argus.config.yaml',
        line: '4',
        title: 'CONFIG_INVALID',
        message:
          'The configuration is not valid\n' +
          'argus.config.yaml:4 services.api.prots: unknown key <prots>; did you mean ports?\n' +
          'next: correct argus.config.yaml and try again',
      },
    ]);
  });

  it('tells of notices, repairs and a crash', () => {
    const outcome = checked([result('low')], {
      notices: [problem('cannot be kept', { code: 'STORE_CORRUPT' })],
      notice: problem('far away', { code: 'INTERNAL_ERROR' }),
      recovery: repaired(),
    });
    expect(read(outcome)).toMatchObject([
      { name: 'error', title: 'INTERNAL_ERROR', message: expect.stringMatching(/^far away\n/) },
      { name: 'warning', title: 'STORE_CORRUPT', message: 'cannot be kept' },
      { name: 'notice', title: 'argus repair', message: 'fill thing:1: recovered' },
      { name: 'notice', title: 'argus', message: expect.stringMatching(/^degraded: /) },
    ]);
    expect(summary(outcome)).toContain(
      '\n\n- repair: fill thing:1: recovered\n- notice: cannot be kept (STORE&#95;CORRUPT)\n',
    );
  });

  it('lets no text pass for another command', () => {
    const odd = result('odd', { status: 'fail', target: awkward, error: problem(awkward) });
    const [error, ...others] = read(checked([odd]));
    expect(error?.message).toContain(`<a href="x">&amp;'|]]> %0A ::error::x, 50%=`);
    expect(error?.message).toContain('\nsecond line\nnext: ');
    expect(others).toHaveLength(1);
  });

  it('gives any text back to whoever reads it', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, message) => {
        expect(commands(workflowCommand('error', { title }, message))).toEqual([
          { name: 'error', title, message },
        ]);
      }),
    );
  });
});

describe('the summary for GitHub', () => {
  it('is a table of everything that was looked at', () => {
    const text = summary(
      checked([
        result('good', { target: '/' }),
        result('bad', { status: 'fail', error: problem('nothing works') }),
        result('dependent', { status: 'skipped', message: 'demo.bad failed' }),
      ]),
    );
    expect(text).toBe(
      [
        '### argus: shop is unhealthy',
        '',
        '1 failed, 1 passed, 1 skipped in 40 ms',
        '',
        '| check | status | message | what to type |',
        '|---|---|---|---|',
        '| demo.good / | ✅ pass | all is well |  |',
        '| demo.bad | ❌ fail | nothing works | <code>argus reset-circuit demo</code> |',
        '| demo.dependent | ➖ skipped | demo.bad failed |  |',
        '',
        '',
      ].join('\n'),
    );
  });

  it('says that there was no check, and why', () => {
    const text = summary(misconfigured);
    expect(text).toMatch(/^### argus could not be checked\n\nThe configuration is not valid\n/);
    expect(text).toMatch(
      /\n\| argus \| ❔ unknown \| The .*<br>argus\.config\.yaml:4 .*\| correct .* and try again \|\n/,
    );
  });

  it('has a row for each thing whatever the texts are made of', () => {
    const odd = result('odd', { status: 'fail', target: awkward, error: problem(awkward) });
    const rows = summary(checked([odd]))
      .trimEnd()
      .split('\n')
      .slice(6);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split('|')).toHaveLength(6);
    expect(rows[0]).not.toMatch(/<a|`|\*/);
    expect(rows[0]).toContain('<br>second line');
  });

  it('is left out when nobody has named a file', () => {
    expect(programFormats.github.result(checked([]), scene)).not.toHaveProperty('addition');
    const empty = { ...scene, env: { GITHUB_STEP_SUMMARY: '' } };
    expect(programFormats.github.result(checked([]), empty)).not.toHaveProperty('addition');
  });
});
