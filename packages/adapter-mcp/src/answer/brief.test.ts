import { describe, expect, it } from 'vitest';
import { inProcess } from '../fixtures/in-process.js';
import { folderWith } from '../fixtures/projects.js';
import { brief } from './brief.js';

const config = { project: { name: 'shop' }, services: { web: { command: 'node server.mjs' } } };
const shop = () => inProcess(folderWith({ 'argus.config.json': JSON.stringify(config) }));
const skip = ['docker', 'disk', 'orphans'];

describe('an answer', () => {
  it('holds no check that passed, and with verbose all of them', async () => {
    const { call } = await shop();
    const brief = await call('argus_preflight_check', { skip });
    expect(brief.data).toEqual({ project: 'shop', overall: 'healthy', environment: 'nothing-runs' });
    const whole = await call('argus_preflight_check', { skip, verbose: true });
    expect(whole.data).toMatchObject({
      checks: expect.any(Array),
      duration: expect.any(Number),
      notices: [],
    });
  });

  it('holds no path that is open, and none to what has no port', () => {
    const path = (status: string, reason?: string) => ({ from: 'a', to: 'b', status, reason });
    const results = [path('reachable'), path('unknown', 'no-port'), path('unknown', 'no-tool')];
    const networkVerification = { allReachable: false, results, timestamp: 1 };
    expect(brief('argus_setup', { ok: true, data: { networkVerification } }).data).toEqual({
      networkVerification: { allReachable: false, results: [path('unknown', 'no-tool')] },
    });
  });

  it('tells the evidence of restarts once, that of the last', () => {
    const restarts = [1, 2].map((attempt) => ({ attempt, evidence: { lines: [{ text: `${attempt}` }] } }));
    const incident = { error: { code: 'X', details: { attempts: 2, history: restarts } }, restarts };
    expect(brief('argus_incidents', { ok: true, data: { incidents: [incident] } }).data).toEqual({
      incidents: [
        { error: { code: 'X', details: { attempts: 2 } }, restarts: [{ attempt: 1 }, restarts[1]] },
      ],
    });
  });

  it.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ changedOnly: true }, false],
    [{ changedOnly: false }, true],
    [{ verbose: true }, true],
  ])('of the configuration, asked %j, holds the defaults: %s', async (args, expected) => {
    const { call } = await shop();
    const { data } = await call('argus_config', args);
    expect(data).toMatchObject({ config });
    expect('resilience' in (data as { config: object }).config).toBe(expected);
  });
});
