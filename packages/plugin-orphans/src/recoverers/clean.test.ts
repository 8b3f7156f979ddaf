import { applyRecovery, planRecovery, readRun, runChecks } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { leave, leaveAll, recordOf, remember, rig } from '../fixtures/rig.js';

const signal = new AbortController().signal;

type World = ReturnType<typeof rig>;

async function clean({ kernel }: World) {
  const { hash } = await planRecovery(kernel);
  return applyRecovery(kernel, hash ?? '', { mode: 'automatic', dryRun: false, signal });
}

describe('orphans.clean', () => {
  it('plans containers, then networks, then volumes, then processes', async () => {
    const world = rig();
    leaveAll(world);
    const { steps } = await planRecovery(world.kernel);
    expect(
      steps.map(({ target, action, risk, reversible }) => [target.split(':')[0], action, risk, reversible]),
    ).toEqual(['container', 'network', 'volume', 'process'].map((type) => [type, 'remove', 'safe', false]));
    expect(steps[0]?.description).toBe(
      'remove the container argus-test-r1-container (api, run r1 of test in /work/shop): there is no record of its run',
    );
  });

  it('removes everything with one call for each runtime, and the check proves it', async () => {
    const world = rig();
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0 }));
    const ids = leaveAll(world, run);

    const { steps } = await clean(world);

    expect(steps.map(({ outcome, verdict }) => [outcome, verdict])).toEqual(
      Array.from({ length: 4 }, () => ['applied', 'recovered']),
    );
    const removals = (runtime: World['docker']) => runtime.calls.filter(({ call }) => call === 'remove');
    expect(removals(world.docker)).toEqual([
      { call: 'remove', ids: [ids.container, ids.network, ids.volume], graceMs: 0 },
    ]);
    expect(removals(world.processes)).toEqual([{ call: 'remove', ids: [ids.process], graceMs: 10_000 }]);
    expect([world.docker.things.size, world.processes.things.size]).toEqual([0, 0]);
    expect(await readRun(world.store, 'r1')).toBeUndefined();
  });

  it('tells of the clean-up in events', async () => {
    const world = rig();
    const { network } = leaveAll(world);
    world.docker.stuck.set(network, 'has active endpoints');
    await clean(world);
    const told = world.events.filter(({ type }) => type.startsWith('cleanup'));
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['cleanup_start', { project: 'test' }],
      ...['container', 'volume'].map((type) => [
        'cleanup_resource',
        { type, name: `argus-test-r1-${type}`, action: 'removed' },
      ]),
      ['cleanup_resource', { type: 'process', name: 'worker', action: 'removed' }],
      [
        'cleanup_resource',
        {
          type: 'network',
          name: 'argus-test-r1-network',
          action: 'failed',
          message: 'argus-test-r1-network: has active endpoints',
        },
      ],
      ['cleanup_end', { found: 4, removed: 3, failed: 1 }],
    ]);
  });

  it('reports what cannot be removed, with the reason, and removes the rest', async () => {
    const world = rig();
    const { network } = leaveAll(world);
    world.docker.stuck.set(network, 'has active endpoints');
    const { steps } = await clean(world);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'applied', 'applied']);
    expect(steps[1]).toMatchObject({
      verdict: 'ineffective',
      error: {
        code: 'CLEANUP_FAILED',
        details: { type: 'network', id: network, reason: 'has active endpoints' },
      },
    });
    expect([...world.docker.things.keys()]).toEqual([network]);
  });

  it('goes on with the other runtimes when one of them breaks', async () => {
    const world = rig();
    leaveAll(world);
    const { hash } = await planRecovery(world.kernel);
    world.docker.beforeRemoval = () => {
      throw new Error('the daemon went away');
    };
    const { steps } = await applyRecovery(world.kernel, hash ?? '', {
      mode: 'automatic',
      dryRun: false,
      signal,
    });
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'applied']);
    expect(steps[0]?.error).toMatchObject({
      code: 'CLEANUP_FAILED',
      message: 'The container argus-test-r1-container could not be removed: the daemon went away',
      details: { reason: 'the daemon went away' },
    });
  });

  it('counts what somebody else removed meanwhile as removed', async () => {
    const world = rig();
    leaveAll(world);
    world.docker.beforeRemoval = () => {
      world.docker.things.clear();
      throw new Error('no such container');
    };
    const { steps } = await clean(world);
    expect(steps.map(({ outcome, verdict }) => [outcome, verdict])).toEqual(
      Array.from({ length: 4 }, () => ['applied', 'recovered']),
    );
  });

  it('lets failures stand when it cannot be told what is left', async () => {
    const world = rig();
    leaveAll(world);
    world.docker.beforeRemoval = () => {
      world.docker.mood = 'down';
      throw new Error('the daemon went away');
    };
    const { steps } = await clean(world);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'applied']);
  });

  it('spares a run that came alive after the plan', async () => {
    const clock = createSimulatedClock();
    const world = rig({ clock });
    await remember(world.store, recordOf('r1', { leaseUntil: clock.now() }));
    leave(world.docker, 'container', recordOf('r1'));
    const recoverer = world.kernel.recoverers.get('orphans.clean');
    const { checks } = await runChecks(world.kernel, { only: ['orphans'] });
    const findings = checks.flatMap((check) => (check.error ? [{ check, error: check.error }] : []));
    const { project } = world.kernel;
    const steps = (await recoverer?.plan({ findings, signal, clock, project })) ?? [];
    expect(steps).toHaveLength(1);

    await remember(world.store, recordOf('r1', { leaseUntil: clock.now() + 1 }));
    const results = await recoverer?.apply({ steps, signal, clock, project });

    expect(results).toMatchObject([
      {
        applied: false,
        error: {
          code: 'CLEANUP_FAILED',
          details: { reason: 'somebody uses its run, or it is not ours' },
        },
      },
    ]);
    expect(world.docker.things.size).toBe(1);
    expect(world.docker.calls.some(({ call }) => call === 'remove')).toBe(false);
    expect(await readRun(world.store, 'r1')).toMatchObject({ state: 'up' });
  });

  it('cannot remove what the runtime of a plugin made that is not loaded, and says so', async () => {
    const world = rig();
    leaveAll(world);
    const { steps } = await planRecovery(world.kernel);
    const moved = steps.map((step) => ({ ...step, data: { ...step.data, runtime: 'podman' } }));
    const { clock, project, recoverers } = world.kernel;
    const recoverer = recoverers.get('orphans.clean');
    const results = await recoverer?.apply({ steps: moved, signal, clock, project });
    expect(results?.[0]).toMatchObject({
      applied: false,
      error: { details: { reason: 'the plugin that made it is not loaded: @argusai/plugin-podman' } },
    });
  });

  it('plans only for what was found', async () => {
    const world = rig();
    leaveAll(world);
    const { steps } = await planRecovery(world.kernel, { only: ['orphans.processes'] });
    expect(steps.map(({ target }) => target.split(':')[0])).toEqual(['process']);
  });

  it('holds a run while it clears it away, so that of two clean-ups only one is at it', async () => {
    const world = rig();
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0 }));
    const id = leave(world.docker, 'container', run);
    let meanwhile: unknown;
    world.docker.beforeRemoval = async () => {
      expect(await readRun(world.store, 'r1')).toMatchObject({
        state: 'stopping',
        owner: { pid: process.pid },
      });
      meanwhile = (await planRecovery(world.kernel)).steps;
    };
    await clean(world);
    expect(meanwhile).toEqual([]);
    expect(world.docker.calls.filter(({ call }) => call === 'remove').map(({ ids }) => ids)).toEqual([[id]]);
  });

  it('says that the run is over, so that what is kept for it can be released', async () => {
    const world = rig({
      plugins: [
        {
          name: 'ports',
          apply({ hooks }) {
            hooks.afterStop.tap('ports', ({ id }) => {
              released.push(id);
              throw new Error('and one that breaks changes nothing');
            });
          },
        },
      ],
    });
    const released: string[] = [];
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0 }));
    leaveAll(world, run);
    const { steps } = await clean(world);
    expect(steps.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'applied'));
    expect(released).toEqual(['r1']);
  });

  it.each([
    ['volume:*', 'volume'],
    ['service:api', 'container'],
  ] as const)('keeps away from what the configuration excludes: %s', async (pattern, type) => {
    const world = rig({ config: { policy: { exclude: [pattern] } } });
    const left = leaveAll(world);
    const { steps } = await clean(world);
    expect(steps.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'applied', 'applied', 'refused']);
    expect([...world.docker.things.keys()]).toEqual([left[type]]);
  });

  it('lets go of the runs it held when it is told to stop', async () => {
    const world = rig();
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0 }));
    leaveAll(world, run);
    const { steps } = await planRecovery(world.kernel);
    const stop = new AbortController();
    world.docker.beforeRemoval = () => {
      stop.abort();
      stop.signal.throwIfAborted();
    };
    const { clock, project, recoverers } = world.kernel;
    const results = await recoverers
      .get('orphans.clean')
      ?.apply({ steps, signal: stop.signal, clock, project });
    expect(results?.map(({ applied }) => applied)).toEqual([false, false, false, false]);
    expect(world.processes.things.size).toBe(1);
    // Its record goes last: by it whoever comes next finds what is left.
    expect(await readRun(world.store, 'r1')).toMatchObject({ state: 'stopping', owner: { pid: 0 } });
  });

  it.each([
    ['could not be removed', {}],
    ['was not to be removed', { policy: { exclude: ['network:*'] } }],
  ])('keeps the record of a run of which something %s, until nothing is left', async (why, config) => {
    const world = rig({ config });
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0 }));
    const { network } = leaveAll(world, run);
    if (why === 'could not be removed') world.docker.stuck.set(network, 'has active endpoints');
    await clean(world);
    expect(await readRun(world.store, 'r1')).toMatchObject({ state: 'stopping', owner: { pid: 0 } });

    world.docker.things.delete(network);
    leave(world.docker, 'container', run);
    await clean(world);
    expect(await readRun(world.store, 'r1')).toBeUndefined();
  });

  it('keeps the record of a run of which nobody can tell what is left', async () => {
    const world = rig();
    leave(world.processes, 'process', await remember(world.store, recordOf('r1', { leaseUntil: 0 })));
    world.docker.mood = 'down';
    await clean(world);
    expect(world.processes.things.size).toBe(0);
    expect(await readRun(world.store, 'r1')).toMatchObject({ state: 'stopping', owner: { pid: 0 } });
  });
});
