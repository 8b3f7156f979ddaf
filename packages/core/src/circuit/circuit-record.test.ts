import { describe, expect, it } from 'vitest';
import { ArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import { createMemoryStore } from '../state/memory-store.js';
import type { StateStore } from '../state/state-store.js';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import {
  answer,
  createOpenRig,
  createRig,
  Down,
  down,
  LONG_ENOUGH_TO_LOOK_AGAIN_MS,
  pending,
} from './fixtures/circuit-rig.js';

const refused = { code: 'CIRCUIT_OPEN' };

/** A real store that can be made to fail, and that counts how often it is asked. */
function createFragileStore(inner: StateStore) {
  const broken = { get: false, put: false };
  const asked = { get: 0, put: 0 };
  const access = (kind: 'get' | 'put') => {
    asked[kind] += 1;
    if (!broken[kind]) return;
    throw new ArgusError(storeUnavailable, {
      message: 'The disk is gone',
      details: { store: 'test', reason: 'failed' },
    });
  };
  const store: StateStore = {
    id: () => inner.id(),
    list: (namespace) => inner.list(namespace),
    delete: (...given) => inner.delete(...given),
    append: (...given) => inner.append(...given),
    read: (...given) => inner.read(...given),
    watch: (...given) => inner.watch(...given),
    close: () => inner.close(),
    async get(...given) {
      access('get');
      return inner.get(...given);
    },
    async put(...given) {
      access('put');
      return inner.put(...given);
    },
  };
  return { store, broken, asked };
}

function createFragileRig(definition: Parameters<typeof createRig>[1] = {}) {
  const clock = createSimulatedClock();
  const inner = createMemoryStore({ clock });
  const fragile = createFragileStore(inner);
  return { ...createRig({ store: fragile.store, clock }, definition), ...fragile, inner };
}

describe('what a circuit knows', () => {
  it('comes from the store: one fault in each of three processes opens it', async () => {
    const { store, clock } = createRig();
    for (let i = 0; i < 3; i += 1) {
      await expect(createRig({ store, clock }).circuit.execute(down)).rejects.toThrow('nobody is there');
    }
    await expect(createRig({ store, clock }).circuit.execute(answer)).rejects.toMatchObject(refused);
  });

  it('is asked for before the first call and then only now and then', async () => {
    const { circuit, asked, clock } = createFragileRig();
    for (let i = 0; i < 100; i += 1) await circuit.execute(answer);
    expect(asked).toEqual({ get: 1, put: 0 });
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await Promise.all(Array.from({ length: 100 }, () => circuit.execute(answer)));
    expect(asked).toEqual({ get: 2, put: 0 });
  });

  it('is asked for now and then also while the circuit is open', async () => {
    const { circuit, asked, clock } = createFragileRig();
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    const { get } = asked;
    for (let i = 0; i < 100; i += 1) await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    expect(asked.get).toBe(get);
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await Promise.all(Array.from({ length: 100 }, () => circuit.execute(answer).catch(() => undefined)));
    expect(asked.get).toBe(get + 1);
  });

  it('includes what another process found out, after a short while', async () => {
    const { store, clock, circuit } = createRig();
    await circuit.execute(answer);
    await createOpenRig({ store, clock });
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
  });

  it('is newer than the call of a process that did not look meanwhile: its fault is of another era', async () => {
    const { store, clock, circuit } = createRig();
    const early = pending();
    const call = circuit.execute(early.operation);
    const other = await createOpenRig({ store, clock });
    await other.circuit.reset();
    await other.circuit.execute(answer);
    early.reject(new Down('long ago'));
    await expect(call).rejects.toThrow('long ago');
    expect(await other.circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it('is not replaced by an older answer of the store that comes in late', async () => {
    const { store, inner, clock, circuit } = createFragileRig({ failureThreshold: 1 });
    await circuit.execute(answer);
    const late = pending();
    store.get = async (...given) => {
      store.get = inner.get.bind(inner);
      const document = await inner.get(...given);
      await late.operation();
      return document;
    };
    const looking = circuit.state();
    const failing = circuit.execute(down);
    failing.catch(() => undefined);
    await clock.advance(0);
    late.resolve();
    await Promise.allSettled([looking, failing]);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
  });

  it('is a fresh start when the document was deleted', async () => {
    const { store, clock, circuit } = await createOpenRig();
    await store.delete('circuits', 'thing');
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });

  it('is a fresh start when the document is not to be understood', async () => {
    const { store, clock, circuit } = await createOpenRig();
    await store.put('circuits', 'thing', { state: 'ajar' });
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(circuit.execute(answer)).resolves.toBe('here');
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    await expect(createRig({ store, clock }).circuit.state()).resolves.toMatchObject({ state: 'open' });
  });
});

describe('a store that fails', () => {
  it('fails no call: the circuit goes on with what this process knows', async () => {
    const { circuit, broken, clock, events } = createFragileRig();
    broken.get = broken.put = true;
    await expect(circuit.execute(answer)).resolves.toBe('here');
    for (let i = 0; i < 3; i += 1) {
      await expect(circuit.execute(down)).rejects.toThrow('nobody is there');
      await clock.advance(1_000);
    }
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    await clock.advance(10_000);
    await expect(circuit.execute(answer)).resolves.toBe('here');
    expect(events.map(({ type }) => type)).toEqual(['circuit_open', 'circuit_half_open', 'circuit_closed']);
  });

  it('that can be read but not written does not make the circuit forget', async () => {
    const { circuit, broken, clock } = createFragileRig();
    broken.put = true;
    for (let i = 0; i < 3; i += 1) {
      await circuit.execute(down).catch(() => undefined);
      await clock.advance(1_000);
    }
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
  });

  it('is told what happened when it is back', async () => {
    const { circuit, broken, clock, store, events } = createFragileRig();
    broken.get = broken.put = true;
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    broken.get = broken.put = false;
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    const other = createRig({ store, clock });
    expect(await other.circuit.state()).toMatchObject({ state: 'open', failureCount: 3 });
    expect(events).toHaveLength(1);
  });

  it('wins when it is back and others have written meanwhile', async () => {
    const { circuit, broken, clock, inner } = createFragileRig();
    broken.get = broken.put = true;
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    const other = createRig({ store: inner, clock });
    await other.circuit.execute(down).catch(() => undefined);
    broken.get = broken.put = false;
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 1 });
  });

  it('lets nobody be told that there is nothing to reset when nobody could look', async () => {
    const { circuit, broken } = createFragileRig();
    broken.get = true;
    await expect(circuit.reset()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    broken.get = false;
    expect(await circuit.reset()).toMatchObject({ previous: 'closed', changed: false });
  });

  it('makes a reset count for this process only, and the reset says so', async () => {
    const { circuit, broken } = createFragileRig();
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    broken.put = true;
    expect(await circuit.reset()).toMatchObject({
      changed: true,
      current: 'half-open',
      message: expect.stringContaining('in this process only'),
    });
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });
});

describe('a store with a defect', () => {
  it('is not taken for one that cannot be used: its error is seen', async () => {
    const clock = createSimulatedClock();
    const inner = createMemoryStore({ clock });
    const { store } = createFragileStore(inner);
    store.get = async () => {
      throw new TypeError('get is not what it seems');
    };
    await expect(createRig({ store, clock }).circuit.execute(answer)).rejects.toThrow(TypeError);
  });
});
