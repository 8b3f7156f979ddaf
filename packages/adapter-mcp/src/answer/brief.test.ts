import { describe, expect, it } from 'vitest';
import { inProcess } from '../fixtures/in-process.js';
import { folderWith } from '../fixtures/projects.js';

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
