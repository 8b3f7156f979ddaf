import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { EventBus } from '../events/event-bus.js';
import { createMemoryStore } from '../state/memory-store.js';
import { systemClock } from '../time/clock.js';
import { createCircuits } from './circuits.js';
import { answer, down } from './fixtures/circuit-rig.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const CALLS = 1_000_000;
const FAULTS = 20_000;
// A byte kept by each call would be a million, a fault kept is at least the 40 bytes of an object with two fields; what
// the runtime itself adds meanwhile has been below a tenth of a million.
const BOUND = 500_000;
// It takes five seconds on a machine that has nothing else to do.
const patience = { timeout: 300_000 };

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const createCircuit = (failureThreshold: number) =>
  createCircuits({
    store: createMemoryStore(),
    clock: systemClock,
    events: new EventBus(systemClock),
    config: { enabled: true, failureThreshold, resetTimeoutMs: 3_600_000 },
  }).define({ name: 'thing', isFault: () => true });

describe('the heap does not grow', patience, () => {
  it('over a million calls through a closed circuit', async () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 10_000; i += 1) await circuit.execute(answer);
    const before = heapUsed();
    for (let i = 0; i < CALLS; i += 1) await circuit.execute(answer);
    expect(heapUsed() - before).toBeLessThan(BOUND);
  });

  it('over a million calls that an open circuit refuses', async () => {
    const circuit = createCircuit(1);
    await circuit.execute(down).catch(() => undefined);
    let refused = 0;
    const refuse = async (calls: number) => {
      for (let i = 0; i < calls; i += 1) {
        await circuit.execute(answer).catch(() => {
          refused += 1;
        });
      }
    };
    await refuse(10_000);
    const before = heapUsed();
    await refuse(CALLS);
    expect(heapUsed() - before).toBeLessThan(BOUND);
    expect(refused).toBe(CALLS + 10_000);
  });

  it('over many faults, which are what a circuit remembers', async () => {
    const circuit = createCircuit(1_000_000);
    const fault = async (calls: number) => {
      for (let i = 0; i < calls; i += 1) await circuit.execute(down).catch(() => undefined);
    };
    await fault(1_000);
    const before = heapUsed();
    await fault(FAULTS);
    expect(heapUsed() - before).toBeLessThan(BOUND);
  });
});
