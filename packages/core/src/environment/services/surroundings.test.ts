import { describe, expect, it } from 'vitest';
import { servicesOfRun } from '../../guardian/run-services.js';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { service } from '../fixtures/service.js';
import { readRun } from '../runs/runs.js';
import type { RunContext } from '../runtime.js';
import { setUp } from '../setup/set-up.js';
import type { ServiceSpec } from './service-spec.js';
import { surroundingsOf } from './surroundings.js';

const hasImage = ({ image }: ServiceSpec) => image !== undefined;
const api = { image: 'api' };

/** Containers that get to this machine at an address which can change, and commands beside them. */
function twoKinds() {
  const ways = ['172.20.0.1'];
  const told: Record<string, readonly string[] | undefined> = {};
  const listening = (runtime: ModelRuntime) => {
    const start = runtime.start.bind(runtime);
    runtime.start = (service: ServiceSpec, spec: string, context: RunContext) => {
      told[service.name] = context.gateways;
      return start(service, spec, context);
    };
    return runtime;
  };
  const world = makeWorld((clock) => [
    Object.assign(new ModelRuntime(clock, { name: 'images', runs: hasImage }), {
      gateways: async () => [...ways],
    }),
    listening(new ModelRuntime(clock, { name: 'commands', runs: (one) => !hasImage(one) })),
  ]);
  const up = async (config: Record<string, unknown>) => {
    const kernel = world.open(config);
    const { runId, services } = await world.passing(setUp(kernel, { build: false }, world.signal));
    const run = await readRun(world.store, runId);
    if (!run) throw new Error('there is no run');
    const current = servicesOfRun(kernel, run, new Map()).services.every(({ isCurrent }) => isCurrent);
    return { run, current, kept: services.filter(({ status }) => status === 'kept').map(({ name }) => name) };
  };
  return { world, ways, told, up };
}

const services = { api, db: { image: 'db' } };
const cron = { command: 'cron' };

describe('what is around a service', () => {
  it('replaces containers when another name leads out of them, and only then', async () => {
    const { up } = twoKinds();
    await up({ services });
    expect((await up({ services })).kept).toEqual(['api', 'db']);
    const added = await up({ services: { ...services, cron } });
    expect(added).toMatchObject({ kept: [], current: true });
    const changed = { services: { ...services, cron: { command: 'another' } } };
    expect((await up(changed)).kept).toEqual(['api', 'db']);
    expect((await up({ services })).kept).toEqual([]);
  });

  it('replaces containers when they get to this machine another way', async () => {
    const { up, ways, told } = twoKinds();
    const config = { services: { ...services, cron } };
    const { run } = await up(config);
    expect(run.services.api?.gateways).toEqual(['172.20.0.1']);
    expect(told.cron).toEqual(['172.20.0.1']);
    ways[0] = '172.21.0.1';
    // A command takes what address it likes.
    expect(await up(config)).toMatchObject({ kept: ['cron'], current: true });
    expect((await up(config)).kept).toEqual(['api', 'db', 'cron']);
  });

  it('is asked for by nobody when there are only containers', async () => {
    const { up, world } = twoKinds();
    Object.assign(world.runtime, { gateways: () => Promise.reject(new Error('who asks?')) });
    expect((await up({ services })).run.services.api?.gateways).toBeUndefined();
  });
});

it('of a mock are the addresses for containers, and the ports that it needs there', () => {
  const ports = [{ host: 9091, container: 9090, ip: null, protocol: 'tcp' as const }];
  const mock = service('pay', { kind: 'mock', routes: [], ports });
  const [plain, asking] = ['x', 'ask pay:9090'].map((command) => service('api', { image: 'x', command }));
  const around = (api = service('none'), gateways = ['172.20.0.1']) =>
    surroundingsOf(mock, [api, mock], gateways);
  expect(around(plain)).toEqual({ gateways: ['172.20.0.1'] });
  expect(around(asking)).toEqual({ gateways: ['172.20.0.1'], speltOut: [9090] });
  expect(around(plain, [])).toEqual({});
});
