import { describe, expect, it } from 'vitest';
import { modelService } from '../environment/fixtures/environment-kernel.js';
import { cleanCurrentRun } from '../environment/removal/clean-up.js';
import { setUp } from '../environment/setup/set-up.js';
import { type GuardedWorld, guardedWorld, pass } from '../guardian/fixtures/guarded-world.js';
import { incidents as operation } from './incidents.js';
import { runOperation } from './run-operation.js';

/** What `incidents` answers, and that it is as its schema says. */
async function ask({ kernel, signal, passing }: GuardedWorld, input: object = {}) {
  const envelope = await passing(runOperation(kernel, operation, input, signal));
  if (!envelope.ok) throw new Error(envelope.error.message);
  const { data } = envelope;
  expect(operation.output.safeParse(data).error).toBeUndefined();
  return operation.output.parse(data);
}

describe('incidents', () => {
  it('tells nothing where nothing has happened', async () => {
    const world = await guardedWorld();
    expect(await ask(world)).toEqual({
      runId: world.runId,
      guarded: false,
      incidents: [],
      others: 0,
      repairs: [],
      otherRepairs: 0,
    });
    await world.guard();
    expect(await ask(world)).toMatchObject({ guarded: true, incidents: [] });
  });

  it('tells of a service that was given up with every restart, its evidence and the whole error', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 2 } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => (start === 1 ? {} : { exits: { code: 1, afterMs: 300 } });
      runtime.output.api = ['cannot go on'];
    });
    await world.guard();
    world.runtime.crash('api', { code: 3 });
    await pass(world, 60_000, 200);
    const evidence = { lines: [expect.objectContaining({ text: 'cannot go on' })] };
    expect((await ask(world)).incidents).toMatchObject([
      {
        service: 'api',
        outcome: 'exhausted',
        refusal: 'max-restarts',
        error: {
          code: 'CONTAINER_RESTART_EXHAUSTED',
          suggestedActions: ['incidents', 'logs', 'setup'],
          details: { history: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3, verdict: 'given-up' }] },
        },
        restarts: [
          {
            reason: 'exit code 3',
            delayMs: 2_000,
            verdict: 'healthy',
            evidence: { exitCode: 3, ...evidence },
          },
          {
            reason: 'exit code 1',
            delayMs: 4_000,
            verdict: 'healthy',
            evidence: { exitCode: 1, ...evidence },
          },
        ],
        evidence: { exitCode: 1, ...evidence },
      },
    ]);
  });

  it('tells the newest first, also what goes on, and only what was asked for', async () => {
    const services = { api: modelService(), web: modelService() };
    const world = await guardedWorld({ services });
    await world.guard();
    world.runtime.crash('api', { code: 3 });
    await pass(world, 15_000, 200);
    world.runtime.crash('web', { code: 4 });
    await pass(world, 1_000);
    const told = async (input: object = {}) => {
      const { incidents, others } = await ask(world, input);
      return [...incidents.map(({ service, outcome }) => `${service} ${outcome}`), others];
    };
    expect(await told()).toEqual(['web open', 'api recovered', 0]);
    expect(await told({ last: 1 })).toEqual(['web open', 1]);
    expect(await told({ service: 'api' })).toEqual(['api recovered', 1]);
    const [, { error } = { error: undefined }] = (await ask(world)).incidents;
    expect(error).toMatchObject({
      code: 'CONTAINER_CRASH',
      suggestedActions: ['setup', 'logs', 'incidents'],
    });
  });

  it('refuses a service of which nobody knows, and none that is only quiet or no longer there', async () => {
    const services = { api: modelService(), web: modelService() };
    const world = await guardedWorld({ services });
    await world.guard();
    world.runtime.crash('web', { code: 4 });
    await pass(world, 15_000, 200);
    expect(await ask(world, { service: 'api' })).toMatchObject({ incidents: [], others: 1 });
    const refused = async (service: string) =>
      world.passing(runOperation(world.kernel, operation, { service }, world.signal));
    expect(await refused('wbe')).toMatchObject({
      ok: false,
      error: {
        code: 'USAGE_INVALID',
        message: expect.stringContaining('did you mean web?'),
        details: { service: 'wbe', known: ['api', 'web'] },
      },
    });
    expect(await refused('nope')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('there are api, web') },
    });
    const { web: _, ...others } = world.kernel.config.services ?? {};
    const kernel = { ...world.kernel, config: { ...world.kernel.config, services: others } };
    const later = await world.passing(runOperation(kernel, operation, { service: 'web' }, world.signal));
    expect(later).toMatchObject({ ok: true, data: { incidents: [{ service: 'web' }] } });
  });

  it('tells of the last run when it is gone, and of earlier ones when it is asked to', async () => {
    const world = await guardedWorld();
    const guarding = await world.guard();
    world.runtime.crash('api');
    await pass(world, 15_000, 200);
    await guarding.end();
    await world.passing(cleanCurrentRun(world.kernel, world.signal));
    expect(await ask(world)).toMatchObject({
      runId: world.runId,
      guarded: null,
      incidents: [{ outcome: 'recovered' }],
    });
    const { runId } = await world.passing(setUp(world.kernel, { build: false }, world.signal));
    expect(await ask(world)).toMatchObject({ runId, guarded: false, incidents: [], others: 1 });
    expect(await ask(world, { all: true })).toMatchObject({
      runId,
      others: 0,
      incidents: [{ runId: world.runId, service: 'api' }],
    });
  });
});
