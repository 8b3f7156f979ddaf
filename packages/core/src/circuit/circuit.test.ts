import { describe, expect, it } from 'vitest';
import { ArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import { createMemoryStore } from '../state/memory-store.js';
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

describe('a closed circuit', () => {
  it('gives back what the operation gives', async () => {
    const { circuit, events } = createRig();
    await expect(circuit.execute(answer)).resolves.toBe('here');
    expect(events).toEqual([]);
  });

  it('rethrows the very error of the operation, a fault or not, also one that is thrown at once', async () => {
    const { circuit } = createRig();
    for (const error of [new Down('x'), new Error('y')]) {
      await expect(circuit.execute(() => Promise.reject(error))).rejects.toBe(error);
      const thrower = () => {
        throw error;
      };
      await expect(circuit.execute(thrower)).rejects.toBe(error);
    }
  });

  it('opens after as many consecutive faults as the threshold says, and says so once', async () => {
    const { circuit, events, clock } = createRig();
    for (let i = 1; i <= 3; i += 1) {
      await expect(circuit.execute(down)).rejects.toBeInstanceOf(Down);
      expect((await circuit.state()).failureCount).toBe(i);
      expect((await circuit.state()).state).toBe(i < 3 ? 'closed' : 'open');
      await clock.advance(5);
    }
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'circuit_open', data: { circuit: 'thing', failureCount: 3, lastError: 'nobody is there' } },
    ]);
  });

  it.each([
    ['a success', answer],
    ['an error that is no fault', () => Promise.reject(new Error('404'))],
  ])('starts counting again after %s', async (_, operation) => {
    const { circuit } = createRig();
    for (let i = 0; i < 4; i += 1) {
      await circuit.execute(down).catch(() => undefined);
      await circuit.execute(down).catch(() => undefined);
      await circuit.execute<unknown>(operation).catch(() => undefined);
    }
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
    expect((await circuit.state()).failureHistory).toHaveLength(8);
  });

  it('writes nothing while all is well', async () => {
    const { circuit, store } = createRig();
    for (let i = 0; i < 10; i += 1) await circuit.execute(answer);
    await circuit.execute(() => Promise.reject(new Error('404'))).catch(() => undefined);
    expect(await store.list('circuits')).toEqual([]);
  });

  it('ignores the fault of a call that began before it was opened and closed again', async () => {
    const { circuit, clock } = createRig();
    const early = pending();
    const call = circuit.execute(early.operation);
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    await clock.advance(10_000);
    await circuit.execute(answer);
    early.reject(new Down('long ago'));
    await expect(call).rejects.toThrow('long ago');
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });
});

describe('an open circuit', () => {
  it('tells of the last fault what advice goes by, also to another process', async () => {
    const gone = new ArgusError(storeUnavailable, {
      message: 'it is away',
      details: { store: 'x', reason: 'no-access' },
    });
    const { circuit, clock, store } = createRig({}, { isFault: () => true });
    for (let call = 1; call <= 3; call += 1) await circuit.execute(() => Promise.reject(gone)).catch(() => 0);
    const other = createRig({ clock, store });
    await expect(other.circuit.execute(answer)).rejects.toMatchObject({
      error: { details: { lastError: 'it is away', lastCode: gone.code, lastReason: 'no-access' } },
    });
  });

  it('fails at once without calling, and says why and for how long', async () => {
    const { circuit, clock } = await createOpenRig();
    await clock.advance(4_000);
    let calls = 0;
    const call = circuit.execute(async () => {
      calls += 1;
    });
    await expect(call).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
      message: 'Circuit thing is open after 3 failures in a row, the last one: nobody is there',
      error: {
        suggestedActions: ['reset-circuit'],
        details: {
          circuit: 'thing',
          failureCount: 3,
          retryAfterMs: 6_000,
          lastError: 'nobody is there',
          lastFailureAt: clock.now() - 4_000,
        },
      },
    });
    expect(calls).toBe(0);
  });

  it('captures no stack for a call it refuses, and leaves stacks to others', async () => {
    const { circuit } = await createOpenRig();
    const limit = Error.stackTraceLimit;
    const error: Error = await circuit.execute(answer).then(
      () => new Error('it went through'),
      (thrown) => thrown,
    );
    expect(error.stack ?? '').not.toContain('\n    at ');
    expect(Error.stackTraceLimit).toBe(limit);
  });

  it.each([
    ['a success', (early: ReturnType<typeof pending>) => early.resolve()],
    ['a fault', (early: ReturnType<typeof pending>) => early.reject(new Down('me too'))],
    ['another error', (early: ReturnType<typeof pending>) => early.reject(new Error('404'))],
  ])('is neither closed nor prolonged by %s of a call that began before it opened', async (_, end) => {
    const { circuit, clock } = createRig();
    const early = pending();
    const call = circuit.execute(early.operation);
    for (let i = 0; i < 3; i += 1) await circuit.execute(down).catch(() => undefined);
    const before = await circuit.state();
    await clock.advance(5_000);
    end(early);
    await call.catch(() => undefined);
    expect(await circuit.state()).toEqual(before);
    await clock.advance(5_000);
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });

  it('lets a probe through after the reset timeout, not a millisecond before', async () => {
    const { circuit, clock, events } = await createOpenRig();
    await clock.advance(9_999);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    await clock.advance(1);
    await expect(circuit.execute(answer)).resolves.toBe('here');
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
    expect(events.map(({ type }) => type)).toEqual(['circuit_open', 'circuit_half_open', 'circuit_closed']);
    expect(events.at(-1)?.data).toEqual({ circuit: 'thing', probeSucceeded: true });
  });

  it('opens again for the whole timeout when the probe faults', async () => {
    const { circuit, clock, events } = await createOpenRig();
    await clock.advance(10_000);
    await expect(circuit.execute(down)).rejects.toBeInstanceOf(Down);
    expect(await circuit.state()).toMatchObject({ state: 'open', failureCount: 4 });
    await clock.advance(9_999);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    expect(events.map(({ type }) => type)).toEqual(['circuit_open', 'circuit_half_open', 'circuit_open']);
  });

  it('is closed by a probe that fails for a reason of its own: the thing has answered', async () => {
    const { circuit, clock } = await createOpenRig();
    await clock.advance(10_000);
    await expect(circuit.execute(() => Promise.reject(new Error('404')))).rejects.toThrow('404');
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('does not stay open longer than its timeout by a wall clock that went back', async () => {
    const { circuit, clock } = await createOpenRig();
    clock.jump(-86_400_000);
    await expect(circuit.execute(answer)).rejects.toMatchObject({
      error: { details: { retryAfterMs: 10_000 } },
    });
    await clock.advance(9_999);
    await expect(circuit.execute(answer)).rejects.toMatchObject(refused);
    await clock.advance(1);
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });

  it('lets only one probe through when the wall clock jumps ahead', async () => {
    const { circuit, clock } = await createOpenRig();
    clock.jump(86_400_000);
    const probe = pending();
    const call = circuit.execute(probe.operation);
    await clock.advance(0);
    clock.jump(86_400_000);
    let isCalled = false;
    const waiting = circuit.execute(async () => {
      isCalled = true;
    });
    await clock.advance(0);
    expect(isCalled).toBe(false);
    probe.resolve();
    await expect(call).resolves.toBe('here');
    await waiting;
    expect(isCalled).toBe(true);
  });
});

describe('a probe', () => {
  it('loses its turn after the probe timeout, and what it finds out later changes nothing', async () => {
    const { circuit, clock, store } = await createOpenRig({}, { probeTimeoutMs: 20_000 });
    await clock.advance(10_000);
    const dead = pending();
    const deadCall = circuit.execute(dead.operation);
    await clock.advance(19_999);
    const other = createRig({ clock, store }, { probeTimeoutMs: 20_000 });
    await expect(other.circuit.execute(answer)).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
      message: 'Circuit thing is half-open: another call is finding out whether it can close',
      error: { details: { retryAfterMs: 1 } },
    });
    await clock.advance(1);
    const second = pending();
    const secondCall = circuit.execute(second.operation);
    await clock.advance(0);
    dead.resolve();
    await expect(deadCall).resolves.toBe('here');
    expect(await circuit.state()).toMatchObject({ state: 'half-open' });
    second.reject(new Down('still'));
    await expect(secondCall).rejects.toThrow('still');
    expect(await circuit.state()).toMatchObject({ state: 'open', failureCount: 4 });
  });

  it('still counts when it is late but nobody has taken its turn', async () => {
    const { circuit, clock } = await createOpenRig();
    await clock.advance(10_000);
    const slow = pending();
    const call = circuit.execute(slow.operation);
    await clock.advance(3_600_000);
    slow.resolve();
    await call;
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('has as long as an open circuit stays open, but no less than 30 seconds', async () => {
    for (const [resetTimeoutMs, expiry] of [
      [10_000, 30_000],
      [60_000, 60_000],
    ] as const) {
      const { circuit, clock, store } = await createOpenRig({}, { resetTimeoutMs });
      await clock.advance(resetTimeoutMs);
      void circuit.execute(pending().operation);
      await clock.advance(expiry - 1);
      const other = createRig({ clock, store }, { resetTimeoutMs });
      await expect(other.circuit.execute(answer)).rejects.toMatchObject(refused);
      await clock.advance(1);
      await expect(circuit.execute(answer)).resolves.toBe('here');
    }
  });

  it('of a killed process does not hold the circuit for longer when the wall clock went back', async () => {
    const { circuit, clock, store } = await createOpenRig();
    await clock.advance(10_000);
    void circuit.execute(pending().operation);
    await clock.advance(0);
    clock.jump(-86_400_000);
    const other = createRig({ store, clock });
    await expect(other.circuit.execute(answer)).rejects.toMatchObject(refused);
    await clock.advance(29_999);
    await expect(other.circuit.execute(answer)).rejects.toMatchObject(refused);
    await clock.advance(1);
    await expect(other.circuit.execute(answer)).resolves.toBe('here');
  });
});

describe('those who come while a call of their own process probes', () => {
  /** Three calls at once, of which the first is the probe, and how often each of them was made. */
  async function callThree(given: Parameters<typeof createOpenRig>[1] = {}) {
    const rig = await createOpenRig({}, given);
    await rig.clock.advance(given?.resetTimeoutMs ?? 10_000);
    const probe = pending();
    const made: string[] = [];
    const abort = new AbortController();
    const first = rig.circuit.execute(
      () => {
        made.push('probe');
        return probe.operation();
      },
      { signal: abort.signal },
    );
    const stop = new AbortController();
    const second = rig.circuit.execute(
      async () => {
        made.push('second');
      },
      { signal: stop.signal },
    );
    const third = rig.circuit.execute(async () => {
      made.push('third');
    });
    const settled = Promise.allSettled([first, second, third]);
    await rig.clock.advance(0);
    expect(made).toEqual(['probe']);
    return { ...rig, probe, made, abort, stop, second, settled };
  }
  const outcomes = async (settled: Promise<PromiseSettledResult<unknown>[]>) =>
    (await settled).map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason.code ?? one.reason.message),
    );

  it('wait for it and go on when it has shown that the thing is back', async () => {
    const { probe, made, settled, circuit } = await callThree();
    probe.resolve();
    expect(await outcomes(settled)).toEqual(['done', 'done', 'done']);
    expect(made).toEqual(['probe', 'second', 'third']);
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it.each([10_000, 0])(
    'wait for it and do not call when it fails, with a reset timeout of %i',
    async (ms) => {
      const { probe, made, settled, circuit } = await callThree({ resetTimeoutMs: ms });
      probe.reject(new Down('still'));
      expect(await outcomes(settled)).toEqual(['still', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN']);
      expect(made).toEqual(['probe']);
      expect(await circuit.state()).toMatchObject({ state: 'open', failureCount: 4 });
    },
  );

  it('take its turn, one after the other, when it is aborted', async () => {
    const { probe, made, abort, settled, circuit } = await callThree();
    abort.abort();
    probe.reject(new Down('cut off'));
    expect(await outcomes(settled)).toEqual(['cut off', 'done', 'done']);
    expect(made).toEqual(['probe', 'second', 'third']);
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('wait no longer than it may take, and do not call then', async () => {
    const { clock, probe, made, settled } = await callThree();
    await clock.advance(30_000);
    probe.resolve();
    expect(await outcomes(settled)).toEqual(['done', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN']);
    expect(made).toEqual(['probe']);
  });

  it('can be aborted while they wait', async () => {
    const { probe, made, stop, second, settled } = await callThree();
    stop.abort(new Error('never mind'));
    await expect(second).rejects.toThrow('never mind');
    probe.resolve();
    expect(await outcomes(settled)).toEqual(['done', 'never mind', 'done']);
    expect(made).toEqual(['probe', 'third']);
  });
});

describe('whoever only asks whether a circuit is closed', () => {
  it('is told, and takes no turn', async () => {
    const { circuit, clock } = await createOpenRig();
    expect(await circuit.isClosed()).toBe(false);
    await clock.advance(1_000_000);
    expect(await circuit.isClosed()).toBe(false);
    expect(await circuit.state()).toMatchObject({ state: 'open' });
    await circuit.execute(answer);
    expect(await circuit.isClosed()).toBe(true);
  });

  it('waits for the probe of the same process', async () => {
    const { circuit } = await createOpenRig();
    await circuit.reset();
    const { operation, resolve } = pending();
    const probe = circuit.execute(operation);
    const told = circuit.isClosed();
    resolve();
    expect(await Promise.all([probe, told])).toEqual(['here', true]);
  });
});

describe('the turn of a process', () => {
  it('that ends is given back, and what its probe finds out later changes nothing', async () => {
    const { circuit, circuits, clock, store } = await createOpenRig();
    await clock.advance(10_000);
    const probe = pending();
    const call = circuit.execute(probe.operation).catch(() => undefined);
    await clock.advance(0);
    await circuits.release();
    const other = createRig({ store, clock });
    expect(await other.circuit.state()).toMatchObject({ state: 'half-open' });
    await expect(other.circuit.execute(answer)).resolves.toBe('here');
    probe.reject(new Down('cut off'));
    await call;
    expect(await other.circuit.state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it('that is gone can be taken at once; that of one that lives, or may live, cannot', async () => {
    const clock = createSimulatedClock();
    const store = createMemoryStore({ clock });
    const living = new Set([1, 2]);
    const at = (pid: number) =>
      createRig(
        { clock, store },
        {},
        {
          own: async () => ({ host: 'here', pid, startedAt: 'today' }),
          isGone: async (process) => !living.has(process.pid),
        },
      );
    const [first, second] = [at(1), at(2)];
    for (let i = 0; i < 3; i += 1) await first.circuit.execute(down).catch(() => undefined);
    await clock.advance(10_000);
    void first.circuit.execute(pending().operation);
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(second.circuit.execute(answer)).rejects.toMatchObject(refused);
    living.delete(1);
    await expect(createRig({ clock, store }).circuit.execute(answer)).rejects.toMatchObject(refused);
    expect((await second.circuit.reset()).message).toContain('the next call is the probe');
    await expect(second.circuit.execute(answer)).resolves.toBe('here');
    expect(await second.circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('that is gone is taken by one of many who ask', async () => {
    const clock = createSimulatedClock();
    const store = createMemoryStore({ clock });
    const processes = {
      own: async () => ({ host: 'here', pid: 1, startedAt: '' }),
      isGone: async () => true,
    };
    const first = await createOpenRig({ clock, store }, {}, processes);
    await clock.advance(10_000);
    void first.circuit.execute(pending().operation);
    await clock.advance(0);
    const second = createRig({ clock, store }, {}, processes);
    const probe = pending();
    let made = 0;
    const calls = Array.from({ length: 10 }, () =>
      second.circuit.execute(() => {
        made += 1;
        return probe.operation();
      }),
    );
    await clock.advance(0);
    expect(made).toBe(1);
    probe.resolve();
    await Promise.all(calls);
  });
});

describe('a circuit that has always been closed', () => {
  it('has no time of its last transition, also after faults', async () => {
    const { circuit } = createRig();
    expect(await circuit.state()).toMatchObject({ state: 'closed', lastStateTransition: null });
    await circuit.execute(down).catch(() => undefined);
    expect(await circuit.state()).toMatchObject({ failureCount: 1, lastStateTransition: null });
  });
});

describe('an abort by the caller', () => {
  it('before the call makes no call', async () => {
    const { circuit } = createRig();
    const signal = AbortSignal.abort(new Error('never mind'));
    await expect(circuit.execute(() => Promise.reject(new Error('called')), { signal })).rejects.toThrow(
      'never mind',
    );
  });

  it('while the store is being looked at makes no call', async () => {
    const { circuit } = createRig();
    const abort = new AbortController();
    const call = circuit.execute(() => Promise.reject(new Error('called')), { signal: abort.signal });
    abort.abort(new Error('never mind'));
    await expect(call).rejects.toThrow('never mind');
  });

  it('is handed to the operation and counts neither as a fault nor as an answer', async () => {
    const { circuit } = createRig();
    await circuit.execute(down).catch(() => undefined);
    await circuit.execute(down).catch(() => undefined);
    const abort = new AbortController();
    const untilAborted = (signal?: AbortSignal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Down('cut off')));
      });
    const call = circuit.execute(untilAborted, { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toThrow('cut off');
    expect(await circuit.state()).toMatchObject({ state: 'closed', failureCount: 2 });
  });

  it('gives the turn of a probe back, and the next call is the probe', async () => {
    const { circuit, clock } = await createOpenRig();
    await clock.advance(10_000);
    const abort = new AbortController();
    const probe = pending();
    const call = circuit.execute(probe.operation, { signal: abort.signal });
    await clock.advance(0);
    abort.abort();
    probe.reject(new Down('cut off'));
    await expect(call).rejects.toThrow('cut off');
    expect(await circuit.state()).toMatchObject({ state: 'half-open', failureCount: 3 });
    await expect(circuit.execute(answer)).resolves.toBe('here');
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('while a turn is being taken gives it back without a call', async () => {
    const { circuit, clock } = await createOpenRig();
    await clock.advance(10_000);
    await circuit.state();
    const abort = new AbortController();
    const call = circuit.execute(() => Promise.reject(new Error('called')), { signal: abort.signal });
    abort.abort(new Error('never mind'));
    await expect(call).rejects.toThrow('never mind');
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });
});

describe('a reset', () => {
  it('makes an open circuit half-open and tells what had happened', async () => {
    const { circuit, clock, events } = await createOpenRig();
    const opened = clock.now();
    await clock.advance(7);
    const fault = { error: 'nobody is there', timestamp: opened };
    expect(await circuit.reset()).toEqual({
      previous: 'open',
      current: 'half-open',
      changed: true,
      failureHistory: [fault, fault, fault],
      message: 'Circuit thing was open and is half-open now: the next call is the probe',
    });
    expect(await circuit.state()).toMatchObject({ state: 'half-open', lastStateTransition: opened + 7 });
    expect(events.at(-1)).toMatchObject({ type: 'circuit_half_open', data: { circuit: 'thing' } });
    await expect(circuit.execute(answer)).resolves.toBe('here');
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
    expect(events.map(({ type }) => type)).toEqual(['circuit_open', 'circuit_half_open', 'circuit_closed']);
  });

  it('of a closed circuit does nothing and says so', async () => {
    const { circuit, events, store } = createRig();
    expect(await circuit.reset()).toEqual({
      previous: 'closed',
      current: 'closed',
      changed: false,
      failureHistory: [],
      message: 'Circuit thing is closed: nothing to reset',
    });
    expect(events).toEqual([]);
    expect(await store.list('circuits')).toEqual([]);
  });

  it('of a half-open circuit does nothing and leaves the turn with who has it', async () => {
    const { circuit, clock, store } = await createOpenRig();
    await clock.advance(10_000);
    const probe = pending();
    const call = circuit.execute(probe.operation);
    await clock.advance(0);
    const other = createRig({ store, clock });
    expect(await other.circuit.reset()).toMatchObject({
      previous: 'half-open',
      current: 'half-open',
      changed: false,
      message: 'Circuit thing is half-open already: a call is finding out whether it can close',
    });
    await expect(other.circuit.execute(answer)).rejects.toMatchObject(refused);
    probe.resolve();
    await call;
    expect(await circuit.state()).toMatchObject({ state: 'closed' });
  });

  it('of a half-open circuit that nobody probes says whose turn it is', async () => {
    const { circuit } = await createOpenRig();
    await circuit.reset();
    expect(await circuit.reset()).toMatchObject({
      changed: false,
      message: 'Circuit thing is half-open already: the next call is the probe',
    });
  });

  it('by another process is seen after a short while', async () => {
    const { circuit, clock, store } = await createOpenRig();
    const other = createRig({ store, clock });
    await other.circuit.reset();
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    await expect(circuit.execute(answer)).resolves.toBe('here');
  });
});

describe('what is remembered of faults', () => {
  it('is bounded in number and in length, newest last', async () => {
    const { circuit, clock } = createRig({}, { failureThreshold: 1_000 });
    for (let i = 0; i < 50; i += 1) {
      await circuit
        .execute(() => Promise.reject(new Down(`${i} ${'x'.repeat(5_000)}`)))
        .catch(() => undefined);
      await clock.advance(1);
    }
    const { failureHistory, failureCount, lastFailureTime } = await circuit.state();
    expect(failureCount).toBe(50);
    expect(failureHistory).toHaveLength(20);
    expect(failureHistory.every(({ error }) => error.length <= 300)).toBe(true);
    expect(failureHistory.at(-1)?.error).toMatch(/^49 x+…$/);
    expect(lastFailureTime).toBe(clock.now() - 1);
  });

  it('is a copy: whoever gets it cannot change the circuit', async () => {
    const { circuit } = await createOpenRig();
    (await circuit.state()).failureHistory.length = 0;
    (await circuit.reset()).failureHistory.length = 0;
    expect((await circuit.state()).failureHistory).toHaveLength(3);
  });
});

describe('those who come while another process probes, where they may wait', () => {
  const waiting = { probeWaitMs: 5_000 };

  async function whileProbed() {
    const first = await createOpenRig({}, waiting);
    const { clock, store } = first;
    await clock.advance(10_000);
    const probe = pending();
    const probing = first.circuit.execute(probe.operation).catch(() => undefined);
    await clock.advance(0);
    const other = createRig({ clock, store }, waiting);
    let made = 0;
    const calls = Array.from({ length: 3 }, () =>
      other.circuit.execute(async () => {
        made += 1;
      }),
    );
    const settled = Promise.allSettled(calls);
    await clock.advance(1_000);
    expect(made).toBe(0);
    const outcomes = async () =>
      (await settled).map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code));
    return { clock, probe, probing, other, outcomes, made: () => made };
  }

  it('go on when it has shown that the thing is back', async () => {
    const { clock, probe, probing, outcomes } = await whileProbed();
    probe.resolve();
    await probing;
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    expect(await outcomes()).toEqual(['done', 'done', 'done']);
  });

  it('are refused when it fails, and none of them calls', async () => {
    const { clock, probe, probing, outcomes, made } = await whileProbed();
    probe.reject(new Down('still'));
    await probing;
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    expect([await outcomes(), made()]).toEqual([['CIRCUIT_OPEN', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN'], 0]);
  });

  it('are refused when it takes longer than they wait, and whoever only asks is told so', async () => {
    const { clock, other, outcomes, made } = await whileProbed();
    const isClosed = other.circuit.isClosed();
    await clock.advance(6_000);
    expect([await outcomes(), made()]).toEqual([['CIRCUIT_OPEN', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN'], 0]);
    expect(await isClosed).toBe(false);
  });

  it('make one more probe among them when it is given back', async () => {
    const first = await createOpenRig({}, waiting);
    const { clock, store } = first;
    await clock.advance(10_000);
    const abort = new AbortController();
    const probe = pending();
    const probing = first.circuit.execute(probe.operation, { signal: abort.signal }).catch(() => undefined);
    await clock.advance(0);
    const next = pending();
    let made = 0;
    const others = [0, 1, 2].map(() => createRig({ clock, store }, waiting));
    const calls = others.map(({ circuit }) =>
      circuit.execute(() => {
        made += 1;
        return next.operation();
      }),
    );
    await clock.advance(500);
    abort.abort();
    probe.reject(new Down('cut off'));
    await probing;
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    expect(made).toBe(1);
    next.resolve();
    await clock.advance(LONG_ENOUGH_TO_LOOK_AGAIN_MS);
    expect(await Promise.all(calls)).toEqual(['here', 'here', 'here']);
  });
});
