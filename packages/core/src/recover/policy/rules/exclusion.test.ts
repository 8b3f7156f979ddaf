import { describe, expect, it } from 'vitest';
import { circumstances, proposal } from '../fixtures/circumstances.js';
import { exclusion } from './exclusion.js';

describe('the exclusion rule', () => {
  const refuse = (target: string, exclude: string[] = []) =>
    exclusion.refuse(
      proposal({ target }),
      circumstances({ self: { pid: 123, parentPid: 45 }, settings: { exclude } }),
    );

  it('refuses to touch argus itself', () => {
    expect(refuse('process:123')).toBe('excluded: process:123 is argus itself');
  });

  it('refuses to touch the process that started argus', () => {
    expect(refuse('process:45')).toBe('excluded: process:45 is the process that started argus');
  });

  it('has nothing against other processes, also when their number begins like its own', () => {
    expect(refuse('process:1234')).toBeUndefined();
    expect(refuse('process:4')).toBeUndefined();
    expect(refuse('container:123')).toBeUndefined();
  });

  it('refuses what a pattern of the configuration names, and says which', () => {
    const exclude = ['volume:*', 'container:prod-*'];
    expect(refuse('container:prod-db', exclude)).toBe('excluded: container:prod-db matches container:prod-*');
    expect(refuse('container:dev-db', exclude)).toBeUndefined();
  });

  it('refuses what is a service that the configuration names, whatever it runs in', () => {
    const step = proposal({ target: 'container:shop-1-db', service: 'db' });
    const excluding = (...exclude: string[]) =>
      exclusion.refuse(step, circumstances({ settings: { exclude } }));
    expect(excluding('service:db')).toBe('excluded: service:db matches service:db');
    expect(excluding('service:api')).toBeUndefined();
  });

  it('holds for approved plans too', () => {
    expect(exclusion.liftedByApproval).toBe(false);
  });
});
