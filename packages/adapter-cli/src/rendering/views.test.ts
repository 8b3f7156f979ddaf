import {
  type CheckStatus,
  corePlugin,
  createKernel,
  type HealthReport,
  overallOf,
  type StructuredError,
} from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { paint } from './text/line.js';
import { viewOf } from './views.js';

const kernel = createKernel({
  project: { name: 'demo', dir: '/' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});
const notice: StructuredError = {
  code: 'SOME_CODE',
  category: 'system',
  severity: 'warning',
  message: 'by the way',
  timestamp: 0,
  details: { deep: { a: 1 }, path: '/x' },
  suggestedActions: ['preflight-check'],
};

const shown = (operation: string, data: unknown, columns?: number) =>
  paint(
    viewOf(operation).lines?.(data, { kernel, input: {}, ...(columns === undefined ? {} : { columns }) }) ??
      [],
    {
      color: false,
    },
  );

const report = (
  statuses: readonly CheckStatus[],
  rest: Partial<HealthReport> & { environment?: string } = {},
): HealthReport => {
  const checks = statuses.map((status, index) => ({
    name: `demo.${index}`,
    plugin: 'demo',
    status,
    message: `message ${index}`,
    details: {},
    duration: 1,
  }));
  return {
    project: 'demo',
    overall: overallOf(checks),
    checks,
    timestamp: 0,
    duration: 2,
    notices: [],
    additions: {},
    ...rest,
  };
};

describe('a health report', () => {
  it('shows what could not be told, notices and what plugins added', () => {
    const data = report(['unknown', 'skipped', 'pass'], {
      notices: [notice],
      additions: { demo: { runs: 3 } },
    });
    const text = shown('preflight-check', data);
    expect(text).toContain('\ndemo.0: message 0\n');
    expect(text).toContain(
      '\nnotice: by the way\n  code: SOME_CODE\n  path: /x\n  try: argus explain SOME_CODE\ndemo: {"runs":3}\n',
    );
    expect(text).toMatch(/degraded: 1 could not be determined, 1 passed, 1 skipped in 2 ms\n$/);
  });

  it('says that nothing runs where everything is well', () => {
    const line = (environment: string, ...states: CheckStatus[]) =>
      shown('preflight-check', report(states, { environment })).trimEnd().split('\n').at(-1);
    expect(line('nothing-runs', 'pass')).toBe(
      'healthy: ready to set up, nothing runs; 1 check passed in 2 ms',
    );
    expect(line('up', 'pass')).toBe('healthy: 1 check passed in 2 ms');
    expect(line('nothing-runs', 'fail')).toBe('unhealthy: 1 failed, 0 passed in 2 ms');
  });

  it('counts several warnings', () => {
    expect(shown('preflight-check', report(['warn', 'warn']))).toContain('degraded: 2 warnings, 0 passed in');
  });

  it('keeps a line for each checker on a terminal, and tells causes first with what was skipped because of them', () => {
    const data = report(['warn', 'fail', 'skipped', 'skipped']);
    const checks = data.checks.map((check) =>
      check.status === 'skipped' ? { ...check, duration: 0, causedBy: 'demo.1' } : check,
    );
    expect(shown('preflight-check', { ...data, checks }, 30).split('\n')).toEqual([
      'demo',
      '  ! demo.0    1 ms  message 0',
      '  ✗ demo.1    1 ms  message 1',
      '  - demo.2          message 2',
      '  - demo.3          message 3',
      '',
      '✗ demo.1: message 1',
      '  skipped because of it:',
      '    demo.2, demo.3',
      '',
      '! demo.0: message 0',
      '',
      'unhealthy: 1 failed, 1',
      '  warning, 0 passed, 2',
      '  skipped in 2 ms',
      '',
    ]);
  });

  it('says of several things that one checker has looked at the worst, and how many there are', () => {
    const several = (statuses: readonly CheckStatus[]) => {
      const data = report(statuses);
      return { ...data, checks: data.checks.map((check) => ({ ...check, name: 'demo.all' })) };
    };
    expect(shown('preflight-check', several(['pass', 'pass', 'skipped']), 60)).toContain(
      '  ✓ demo.all    1 ms  message 0 (and 2 more)\n',
    );
    expect(shown('preflight-check', several(['pass', 'fail', 'fail']), 60)).toContain(
      '  ✗ demo.all    1 ms  2 of 3: message 1\n',
    );
    expect(shown('preflight-check', several(['pass', 'pass']), 40)).toContain('mes… (and 1 more)\n');
  });
});

describe('a plan', () => {
  const step = {
    recoverer: 'demo.clean',
    risk: 'destructive',
    target: 'path:/x',
    action: 'remove',
    findings: [],
    description: 'Remove it',
    reversible: false,
  };

  it('shows steps, what nobody can repair, notices, and the command', () => {
    const unhandled = [{ check: 'demo.other', target: '/y', code: 'OTHER' }];
    const text = shown('plan-recovery', {
      project: 'demo',
      hash: 'abc',
      steps: [step, step],
      unhandled,
      notices: [notice],
    });
    expect(text).toContain('2. remove path:/x  demo.clean, destructive, cannot be undone\n   Remove it\n');
    expect(text).toContain(
      'nobody can repair demo.other /y (OTHER)\n  try: argus explain OTHER\nnotice: by the way\n',
    );
    expect(text).toMatch(/2 steps\. To carry out exactly this: argus apply-recovery abc --confirm\n$/);
  });
});

describe('what nobody can repair', () => {
  const unhandled = [{ check: 'process.services', target: 'shop', code: 'SERVICE_MISSING' }];
  const plan = { project: 'demo', hash: null, steps: [], unhandled, notices: [] };

  it('comes with what people can do about it, which is not to repair it', () => {
    const error = { ...notice, code: 'SERVICE_MISSING', suggestedActions: ['some.recoverer', 'setup'] };
    const before = report(['fail']);
    const checks = before.checks.map((check) => ({
      ...check,
      name: 'process.services',
      target: 'shop',
      error,
    }));
    const text = shown('fix', { plan, before: { ...before, checks }, stopped: 'nothing-to-do' });
    expect(text).toContain('nobody can repair process.services shop (SERVICE_MISSING)\n  try: argus setup\n');
    expect(text).not.toContain('argus fix');
  });

  it('comes with what its code says of all where there is only the plan', () => {
    const taken = [{ check: 'ports.conflicts', target: 'port:1/tcp', code: 'PORT_CONFLICT' }];
    const text = shown('plan-recovery', { ...plan, unhandled: taken });
    expect(text).toContain('  try: argus setup\n');
    expect(text).not.toContain('argus fix');
  });
});

describe('a repair', () => {
  it('says that nothing was done when there was nothing to do', () => {
    const plan = { project: 'demo', hash: null, steps: [], unhandled: [], notices: [] };
    const data = { plan, dryRun: false, before: report([]), after: report(['pass']), steps: [] };
    expect(shown('apply-recovery', data)).toMatch(
      /^There is nothing to repair\nnothing was done\nafterwards healthy: .*\n$/,
    );
    const broken = { ...data, plan: { ...plan, notices: [notice] } };
    expect(shown('apply-recovery', broken)).toMatch(
      /^notice: by the way[\s\S]*\nnothing was done\nafterwards /,
    );
  });

  it('names what is still wrong that no step was for, with what to do about it', () => {
    const found = (target: string) => ({ check: 'process.services', target, code: 'SERVICE_MISSING' });
    const step = {
      ...{ recoverer: 'demo.x', risk: 'safe', reversible: true, action: 'do', description: '' },
      ...{ target: 'db', findings: [found('db')], outcome: 'applied', verdict: 'ineffective' },
    };
    const after = report(['fail', 'pass', 'fail', 'unknown']);
    const targets = ['db', 'web', 'api', 'cli'];
    const error = { ...notice, message: 'it is gone', suggestedActions: ['some.recoverer', 'setup'] };
    const checks = after.checks.map((check, index) => ({
      ...check,
      name: 'process.services',
      target: targets[index],
      ...(index === 2 ? { error } : {}),
    }));
    const plan = { project: 'demo', hash: 'x', steps: [], unhandled: [found('api')], notices: [] };
    const repair = { plan, dryRun: false, before: report([]), after: { ...after, checks }, steps: [step] };
    const told =
      'still wrong: process.services api: it is gone\n  try: argus setup\n' +
      'still unknown: process.services cli: message 3\n';
    const fixed = shown('fix', { plan, before: report([]), stopped: null, report: repair });
    for (const text of [fixed, shown('apply-recovery', repair)]) {
      expect(text).toContain(told);
      // What a step was for is told with the step.
      expect(text).not.toContain('services db:');
    }
    expect(shown('apply-recovery', { ...repair, dryRun: true })).not.toContain('still');
  });

  it('marks what was worse, what was not needed and what would be done', () => {
    const base = {
      recoverer: 'demo.x',
      risk: 'safe',
      reversible: true,
      action: 'do',
      description: '',
      findings: [],
    };
    const steps = [
      { ...base, target: 'a', outcome: 'applied', verdict: 'worse' },
      { ...base, target: 'b', outcome: 'not-needed' },
      { ...base, target: 'c', outcome: 'planned' },
      { ...base, target: 'd', outcome: 'applied' },
    ];
    const plan = { project: 'demo', hash: 'x', steps: [], unhandled: [], notices: [] };
    const repair = { plan, dryRun: false, before: report([]), after: report(['pass']), steps };
    const text = shown('apply-recovery', repair, 80);
    expect(text).toContain('✗ do a: worse');
    expect(text).toContain('- do b: not-needed');
    expect(text).toContain('- do c: planned');
    expect(text).toContain('✓ do d: applied');
    expect(shown('apply-recovery', repair)).toContain('planned do c: planned');
  });
});

describe('a step that was refused', () => {
  const shownFor = (rule: string, findings = [{ check: 'demo.x', code: 'DEMO_LOW' }]) => {
    const step = {
      recoverer: 'demo.x',
      risk: 'safe',
      reversible: true,
      action: 'do',
      description: '',
      target: 'a',
    };
    const steps = [{ ...step, findings, outcome: 'refused', refusal: { rule, reason: `${rule}: no` } }];
    const plan = { project: 'demo', hash: 'x', steps: [], unhandled: [], notices: [] };
    const text = shown('apply-recovery', {
      plan,
      dryRun: false,
      before: report([]),
      after: report([]),
      steps,
    });
    return text.split('\n').filter((line) => line.startsWith('    '));
  };

  it.each([
    ['budget', 'argus incidents'],
    ['exclusion', 'argus config --only policy'],
    ['autonomy', 'argus fix'],
    ['correlated', 'argus fix'],
    ['consecutive', 'argus fix'],
    ['veto', 'argus explain DEMO_LOW'],
  ])('by %s says which problem stays, and what to type', (rule, command) => {
    expect(shownFor(rule)).toEqual([
      `    refused by ${rule}: no`,
      '    code: DEMO_LOW',
      `    try: ${command}`,
    ]);
  });

  it('by the person who was asked, or for no problem, needs no more words', () => {
    expect(shownFor('declined')).toEqual(['    refused by declined: no']);
    expect(shownFor('unasked')).toEqual(['    refused by unasked: no']);
    expect(shownFor('veto', [])).toEqual(['    refused by veto: no']);
  });
});

describe('faults', () => {
  it('are listed with what they do and what should come of them', () => {
    const kill = { name: 'kill-service', summary: 'Kills it', lasts: false, expect: 'CONTAINER_CRASH' };
    const pause = {
      name: 'pause-service',
      summary: 'Pauses it',
      lasts: true,
      expect: 'HEALTH_CHECK_TIMEOUT',
    };
    expect(shown('fault-list', { faults: [kill, pause] })).toBe(
      'kill-service  Kills it\n  reported as CONTAINER_CRASH\n' +
        'pause-service  Pauses it\n  reported as HEALTH_CHECK_TIMEOUT, taken back when the time is up\n' +
        'next: argus fault inject FAULT --service NAME\n',
    );
  });

  it('say what was done and whether it is over', () => {
    const harm = { fault: 'pause-service', target: 'service:api', message: 'paused api' };
    const data = { ...harm, expect: 'HEALTH_CHECK_TIMEOUT', undone: true, lastedMs: 2_000 };
    expect(shown('fault-inject', data)).toMatch(
      /^pause-service service:api: paused api\ntaken back after 2(\.0)? s\nnext: .*HEALTH_CHECK_TIMEOUT\n$/,
    );
    expect(shown('fault-inject', { ...data, undone: false })).not.toContain('taken back');
  });
});

describe('what an operation of somebody else gives', () => {
  it('is shown as it is, and nothing as the end of the work', () => {
    expect(shown('third-feed', { animal: 'cat' })).toBe('animal: cat\n');
    expect(shown('third-feed', null)).toBe('done, with no result\n');
  });
});

describe('removing what others made', () => {
  it('says of each thing what became of it', () => {
    const thing = { type: 'process', name: 'api', runId: 'r1' };
    const data = {
      dryRun: false,
      removed: [thing],
      failed: [{ ...thing, error: 'busy' }],
      refused: [{ name: 'x', reason: 'nothing is called so' }],
    };
    expect(shown('clean-foreign', data)).toBe(
      'removed process api of the run r1\ncould not remove process api: busy\nleft alone x: nothing is called so\n',
    );
    expect(shown('clean-foreign', { ...data, dryRun: true })).toContain('would remove process api');
  });
});

describe('the exit code of removing what others made', () => {
  it('is 0 only when everything that was named is gone', () => {
    const { exitCode } = viewOf('clean-foreign');
    expect(exitCode({ removed: [{}], failed: [], refused: [] }, {}, {})).toBe(0);
    expect(exitCode({ removed: [{}], failed: [{}], refused: [] }, {}, {})).toBe(1);
    expect(exitCode({ removed: [], failed: [], refused: [{}] }, {}, {})).toBe(1);
  });
});
