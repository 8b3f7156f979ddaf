import { describe, expect, it } from 'vitest';
import { healthcheck, makeWorld, modelService } from '../environment/fixtures/environment-kernel.js';
import { lookAt } from '../environment/looks/look-at.js';
import { readRun } from '../environment/runs/runs.js';
import { setUp } from '../environment/setup/set-up.js';
import { servicesOfRun } from './run-services.js';

const services = {
  db: { image: 'db', ports: ['5432'], environment: { MODE: 'test' } },
  api: modelService({
    ports: ['8080:80'],
    dependsOn: ['db'],
    healthcheck,
    vars: { url: 'http://localhost:8080' },
    environment: { DB: 'localhost:{{ports.db}}', SELF: '{{vars.url}}' },
  }),
};

async function up() {
  const world = makeWorld();
  world.runtime.behaviours.db = { port: 45_000 };
  const { runId } = await world.passing(setUp(world.open({ services }), { build: false }, world.signal));
  const run = await readRun(world.store, runId);
  if (!run) throw new Error('there is no run');
  const seen = async (config: Record<string, unknown>) => {
    const kernel = world.open(config);
    const started = [...world.runtime.services.values()];
    return servicesOfRun(kernel, run, await lookAt(kernel, run, started, world.signal));
  };
  return { world, seen };
}

describe('the services of a run', () => {
  it('are as they were started, with what their texts stand for', async () => {
    const { world, seen } = await up();
    const found = (await seen({ services })).services;
    expect(found.map(({ isCurrent }) => isCurrent)).toEqual([true, true]);
    expect(found.map(({ service }) => service)).toEqual([...world.runtime.services.values()]);
    expect(found[1]?.service.environment).toMatchObject({ DB: 'localhost:45000', ARGUS_PORT_DB: '45000' });
  });

  it('are known not to be what the configuration says by now', async () => {
    const { seen } = await up();
    const changed = { ...services, db: { image: 'db', ports: ['5432'], environment: { MODE: 'other' } } };
    const found = (await seen({ services: { ...changed, web: modelService() } })).services;
    expect(found.map(({ service, isCurrent }) => [service.name, isCurrent])).toEqual([
      ['db', false],
      ['api', true],
    ]);
  });
});
