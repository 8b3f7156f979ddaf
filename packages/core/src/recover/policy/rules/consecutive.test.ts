import { describe, expect, it } from 'vitest';
import { findingKey } from '../failures/finding-key.js';
import { circumstances, proposal } from '../fixtures/circumstances.js';
import type { Proposal } from '../proposal.js';
import { consecutive } from './consecutive.js';

describe('the consecutive failures rule', () => {
  const api = { check: 'docker.container', target: 'container:api', code: 'CONTAINER_DEAD' };
  const db = { check: 'docker.container', target: 'container:db', code: 'CONTAINER_DEAD' };

  const refuse = (about: Partial<Proposal>, counts: Record<string, number>) =>
    consecutive.refuse(
      proposal({ risk: 'disruptive', ...about }),
      circumstances({
        settings: { consecutiveFailures: 3 },
        failuresOf: async (findings) => findings.map((finding) => counts[findingKey(finding)] ?? 0),
      }),
    );

  it('refuses until the problem was found three times in a row', async () => {
    const about = { findings: [api] };
    expect(await refuse(about, { [findingKey(api)]: 1 })).toBe('consecutive failures: 1 of 3');
    expect(await refuse(about, { [findingKey(api)]: 2 })).toBe('consecutive failures: 2 of 3');
    expect(await refuse(about, { [findingKey(api)]: 3 })).toBeUndefined();
    expect(await refuse(about, { [findingKey(api)]: 4 })).toBeUndefined();
  });

  it('refuses a problem that was never recorded', async () => {
    expect(await refuse({ findings: [api] }, {})).toBe('consecutive failures: 0 of 3');
    expect(await refuse({ findings: [] }, {})).toBe('consecutive failures: 0 of 3');
  });

  it('does not hold back a safe repair', async () => {
    expect(await refuse({ risk: 'safe', findings: [api] }, {})).toBeUndefined();
  });

  it('holds back a destructive repair', async () => {
    expect(await refuse({ risk: 'destructive', findings: [api] }, {})).toBe('consecutive failures: 0 of 3');
  });

  it('lets the newest problem decide when the step answers several', async () => {
    const counts = { [findingKey(api)]: 3, [findingKey(db)]: 1 };
    expect(await refuse({ findings: [api, db] }, counts)).toBe('consecutive failures: 1 of 3');
  });
});
