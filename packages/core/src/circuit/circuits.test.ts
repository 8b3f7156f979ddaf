import { describe, expect, it } from 'vitest';
import { EventBus } from '../events/event-bus.js';
import { createRedactor } from '../redact/redactor.js';
import { createMemoryStore } from '../state/memory-store.js';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { createCircuits } from './circuits.js';
import { createRig, down } from './fixtures/circuit-rig.js';

const isFault = () => true;

describe('circuits', () => {
  it('are found by name, in the order of definition, with their states', async () => {
    const { circuits, circuit } = createRig();
    const docker = circuits.define({ name: 'docker', isFault });
    expect(circuits.get('docker')).toBe(docker);
    expect(circuits.get('nothing')).toBeUndefined();
    expect(circuits.all()).toEqual([circuit, docker]);
    await docker.execute(down).catch(() => undefined);
    expect(await circuits.states()).toMatchObject([
      { name: 'thing', state: 'closed', failureCount: 0, lastFailureTime: null, failureHistory: [] },
      { name: 'docker', state: 'closed', failureCount: 1 },
    ]);
  });

  it('count each for itself', async () => {
    const { circuits, circuit } = createRig();
    const other = circuits.define({ name: 'other', isFault, failureThreshold: 1 });
    await other.execute(down).catch(() => undefined);
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
    expect(await other.state()).toMatchObject({ state: 'open' });
  });

  it('of one name share their state only in the same scope', async () => {
    const { clock, store } = createRig();
    const scopes = [undefined, undefined, 'near', 'near', 'far'];
    const [first, second, near, nearby, far] = scopes.map(
      (scope) => createRig({ clock, store }, { name: 'docker', failureThreshold: 1, scope }).circuit,
    );
    await near?.execute(down).catch(() => undefined);
    expect(await near?.state()).toMatchObject({ name: 'docker', state: 'open' });
    expect(await nearby?.state()).toMatchObject({ name: 'docker', state: 'open' });
    for (const other of [first, far]) expect(await other?.state()).toMatchObject({ state: 'closed' });
    await first?.execute(down).catch(() => undefined);
    expect(await second?.state()).toMatchObject({ state: 'open' });
    expect(await far?.state()).toMatchObject({ state: 'closed' });
    expect(await nearby?.reset()).toMatchObject({ previous: 'open', current: 'half-open' });
    expect(await second?.state()).toMatchObject({ state: 'open' });
  });

  it('cannot be defined twice', () => {
    const { circuits } = createRig();
    expect(() => circuits.define({ name: 'thing', isFault })).toThrow('The circuit thing is defined twice');
    expect(circuits.all()).toHaveLength(1);
  });

  it.each([
    { failureThreshold: 0 },
    { failureThreshold: 1.5 },
    { resetTimeoutMs: -1 },
    { probeTimeoutMs: Number.NaN },
  ])('cannot be defined with %o', (limit) => {
    const { circuits } = createRig();
    expect(() => circuits.define({ name: 'odd', isFault, ...limit })).toThrow(/circuit odd cannot have a/);
    expect(circuits.get('odd')).toBeUndefined();
  });

  it('remember faults without the secrets in them', async () => {
    const clock = createSimulatedClock();
    const store = createMemoryStore({ clock });
    const circuits = createCircuits({
      store,
      clock,
      events: new EventBus(clock),
      config: { enabled: true, failureThreshold: 3, resetTimeoutMs: 1_000 },
      redactor: createRedactor({ secrets: ['hunter2'] }),
    });
    const circuit = circuits.define({ name: 'thing', isFault });
    await circuit.execute(() => Promise.reject(new Error('login hunter2 refused'))).catch(() => undefined);
    expect(JSON.stringify(await store.list('circuits'))).toContain('login [redacted] refused');
  });
});

describe('disabled circuits', () => {
  const createDisabled = () => {
    const clock = createSimulatedClock();
    const store = createMemoryStore({ clock });
    const config = { enabled: false, failureThreshold: 1, resetTimeoutMs: 1_000 };
    const circuits = createCircuits({ store, clock, events: new EventBus(clock), config });
    return { clock, store, circuit: circuits.define({ name: 'thing', isFault }) };
  };

  it('let every call through, count nothing and report closed', async () => {
    const { circuit, store } = createDisabled();
    for (let i = 0; i < 10; i += 1) await expect(circuit.execute(down)).rejects.toThrow('nobody is there');
    await expect(circuit.execute(async () => 'here')).resolves.toBe('here');
    expect(await circuit.state()).toEqual({
      name: 'thing',
      state: 'closed',
      failureCount: 0,
      lastFailureTime: null,
      lastStateTransition: null,
      failureHistory: [],
    });
    expect(await circuit.reset()).toMatchObject({ previous: 'closed', current: 'closed', changed: false });
    await circuit.release();
    expect(await store.list('circuits')).toEqual([]);
  });

  it('hand the signal on and make no call for one that is aborted', async () => {
    const { circuit } = createDisabled();
    const { signal } = new AbortController();
    await expect(circuit.execute(async (given) => given === signal, { signal })).resolves.toBe(true);
    const aborted = { signal: AbortSignal.abort(new Error('never mind')) };
    await expect(circuit.execute(async () => 'called', aborted)).rejects.toThrow('never mind');
  });
});
