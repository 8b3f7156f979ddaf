import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../state/memory-store.js';
import type { StateStore } from '../state/state-store.js';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import type { Circuit } from './circuit.js';
import { createOpenRig, createRig, Down, down, pending } from './fixtures/circuit-rig.js';

/** Lets many callers go at once, keeps the probe until all callers of other circuits have their answer, and counts. */
function askAll(callers: readonly Circuit[], outcome: 'back' | 'down') {
  const probe = pending();
  const refusals: unknown[] = [];
  let calls = 0;
  let probes = 0;
  let othersToGo = callers.length;
  let isOver = false;
  const end = () => {
    isOver = true;
    if (outcome === 'back') probe.resolve();
    else probe.reject(new Down('still'));
  };
  const all = callers.map((circuit) => {
    const operation = () => {
      calls += 1;
      if (!isOver) probes += 1;
      if (probes === 1 && !isOver) othersToGo -= callers.filter((one) => one === circuit).length;
      // A second probe is what must not happen; do not wait for it for ever.
      if (probes > 1 || othersToGo === 0) end();
      return probe.operation();
    };
    return circuit.execute(operation).catch((error: { code?: string }) => {
      if (error instanceof Down) return;
      refusals.push(error.code);
      if (isOver) return;
      othersToGo -= 1;
      if (othersToGo === 0) end();
    });
  });
  return { calls: Promise.all(all), result: () => ({ probes, calls, refusals }) };
}

/** A store whose every access takes a moment that the scheduler chooses, before and after. */
function scheduled(store: StateStore, scheduler: fc.Scheduler): StateStore {
  const slow = <Args extends unknown[], Value>(label: string, access: (...args: Args) => Promise<Value>) => {
    return async (...args: Args): Promise<Value> => {
      await scheduler.schedule(Promise.resolve(), `${label} begins`);
      const value = await access(...args);
      await scheduler.schedule(Promise.resolve(), `${label} ends`);
      return value;
    };
  };
  const { id, list, append, read, watch, close, delete: remove } = store;
  return {
    id,
    list,
    append,
    read,
    watch,
    close,
    delete: remove,
    get: slow('get', (namespace, key) => store.get(namespace, key)),
    put: slow('put', (...args) => store.put(...args)),
  };
}

describe('exactly one probe goes through', () => {
  it.each(['after the timeout', 'after a reset'])('among 100 callers of one process, %s', async (when) => {
    for (const outcome of ['down', 'back'] as const) {
      const { circuit, clock } = await createOpenRig();
      if (when === 'after a reset') await circuit.reset();
      else await clock.advance(10_000);
      const { calls, result } = askAll(
        Array.from({ length: 100 }, () => circuit),
        outcome,
      );
      await calls;
      const refusals = Array.from({ length: outcome === 'back' ? 0 : 99 }, () => 'CIRCUIT_OPEN');
      expect(result()).toEqual({ probes: 1, calls: outcome === 'back' ? 100 : 1, refusals });
      expect(await circuit.state()).toMatchObject({ state: outcome === 'back' ? 'closed' : 'open' });
    }
  });

  it('among callers of three processes that share a store, in whatever order their accesses happen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(2), { minLength: 2, maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom('back' as const, 'down' as const),
        async (scheduler, callers, byReset, outcome) => {
          const clock = createSimulatedClock();
          const store = createMemoryStore({ clock });
          const { circuit } = await createOpenRig({ clock, store });
          if (byReset) await circuit.reset();
          else await clock.advance(10_000);
          const processes = [0, 1, 2].map(() => createRig({ clock, store: scheduled(store, scheduler) }));
          const { calls, result } = askAll(
            callers.map((index) => processes[index]?.circuit ?? circuit),
            outcome,
          );
          await scheduler.waitFor(calls);
          expect(result().probes).toBe(1);
          if (outcome === 'down') expect(result().calls).toBe(1);
          expect(result().calls + result().refusals.length).toBe(callers.length);
          expect(result().refusals.every((code) => code === 'CIRCUIT_OPEN')).toBe(true);
          const events = processes.flatMap((one) => one.events.map(({ type }) => type));
          const end = outcome === 'back' ? 'circuit_closed' : 'circuit_open';
          expect(events).toEqual([...(byReset ? [] : ['circuit_half_open']), end]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('faults of two processes at the same time', () => {
  it('are all counted, and the circuit opens once, in whatever order their accesses happen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(4), fc.nat(4), async (scheduler, here, there) => {
        const clock = createSimulatedClock();
        const store = createMemoryStore({ clock });
        const processes = [here, there].map((faults) => ({
          faults,
          ...createRig({ clock, store: scheduled(store, scheduler) }, { failureThreshold: 4 }),
        }));
        const calls = processes.flatMap(({ circuit, faults }) =>
          Array.from({ length: faults }, () => circuit.execute(down).catch(() => undefined)),
        );
        await scheduler.waitFor(Promise.all(calls));
        const events = processes.flatMap((one) => one.events.map(({ type }) => type));
        const total = here + there;
        expect(await createRig({ clock, store }).circuit.state()).toMatchObject({
          state: total >= 4 ? 'open' : 'closed',
          failureCount: Math.min(total, 4),
        });
        expect(events).toEqual(total >= 4 ? ['circuit_open'] : []);
      }),
      { numRuns: 200 },
    );
  });
});
