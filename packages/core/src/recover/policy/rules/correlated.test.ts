import { describe, expect, it } from 'vitest';
import { circumstances, proposal } from '../fixtures/circumstances.js';
import { result } from '../fixtures/result.js';
import { correlated, failingTargets } from './correlated.js';

describe('the correlated failures rule', () => {
  const failing = (...targets: string[]) =>
    targets.map((target) => result('docker.container', 'fail', target));
  const refuse = (
    checks: ReturnType<typeof failing>,
    risk: 'safe' | 'disruptive' | 'destructive' = 'disruptive',
  ) =>
    correlated.refuse(
      proposal({ risk }),
      circumstances({ failing: failingTargets(checks), settings: { correlatedFailures: 3 } }),
    );

  it('lets two failing targets be repaired when the limit is three', () => {
    expect(refuse(failing('api', 'db'))).toBeUndefined();
  });

  it('refuses at the limit and above it, and says how many fail', () => {
    expect(refuse(failing('api', 'db', 'web'))).toBe(
      'correlated failures: 3 targets fail at once (limit 3); this looks like one infrastructure event',
    );
    expect(refuse(failing('api', 'db', 'web', 'pay'), 'destructive')).toBe(
      'correlated failures: 4 targets fail at once (limit 3); this looks like one infrastructure event',
    );
  });

  it('never stands in the way of a safe repair', () => {
    expect(refuse(failing('api', 'db', 'web', 'pay'), 'safe')).toBeUndefined();
  });

  it('counts failures only, not what is degraded, could not be told or was skipped', () => {
    const others = [
      result('disk.space', 'warn', '/tmp'),
      result('network.http', 'unknown', 'pay'),
      result('orphans.docker', 'skipped'),
      result('docker.container', 'pass', 'mail'),
    ];
    expect(refuse([...failing('api', 'db'), ...others])).toBeUndefined();
  });

  it('counts one target once, however many checks fail on it', () => {
    const checks = ['docker.container', 'network.http', 'network.tcp'].map((name) =>
      result(name, 'fail', 'api'),
    );
    expect(refuse(checks)).toBeUndefined();
  });

  it('counts a check without a target as one of its own', () => {
    expect(
      refuse(['docker.daemon', 'network.dns', 'disk.space'].map((name) => result(name, 'fail'))),
    ).toMatch(/^correlated failures: 3 targets/);
  });

  it('speaks of one target in the singular', () => {
    const given = circumstances({
      failing: failingTargets(failing('api')),
      settings: { correlatedFailures: 1 },
    });
    expect(correlated.refuse(proposal({ risk: 'disruptive' }), given)).toMatch(
      /: 1 target fails at once \(limit 1\)/,
    );
  });
});
