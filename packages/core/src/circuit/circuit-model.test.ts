import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRig, Down, LONG_ENOUGH_TO_LOOK_AGAIN_MS, pending } from './fixtures/circuit-rig.js';
import { type Outcome, ReferenceMachine } from './fixtures/reference-machine.js';

const LIMITS = { threshold: 3, resetTimeout: 10_000, probeTimeout: 30_000 };

/**
 * Two processes that share a store, the calls that are under way in them, and a third that only looks on, so that
 * looking does not tell the two what they have to find out by themselves.
 */
function createReal() {
  const first = createRig();
  const { clock, store } = first;
  const processes = [first, createRig({ clock, store })] as const;
  const observer = createRig({ clock, store });
  const calls = new Map<number, Call>();
  const events: string[] = [];
  for (const { bus } of processes) bus.subscribe(({ type }) => events.push(type));
  return { clock, processes, observer, calls, events, lastUsed: 0 };
}

type Call = ReturnType<typeof pending> & { ended: Promise<unknown>; abort: AbortController };
type Real = ReturnType<typeof createReal>;
type Command = fc.AsyncCommand<ReferenceMachine, Real>;

let nextCall = 0;

/** Another process than the last one is given the time to see what the last one did. */
async function use(index: number, model: ReferenceMachine, real: Real) {
  if (real.lastUsed !== index) await pass(LONG_ENOUGH_TO_LOOK_AGAIN_MS, model, real);
  real.lastUsed = index;
  return real.processes[index === 0 ? 0 : 1].circuit;
}

async function pass(ms: number, model: ReferenceMachine, real: Real) {
  await real.clock.advance(ms);
  model.now += ms;
}

async function compare(model: ReferenceMachine, real: Real) {
  expect(await real.observer.circuit.state()).toMatchObject({
    state: model.state,
    failureCount: model.failures,
  });
  expect(real.events).toEqual(model.events);
}

const begin = (process: number): Command => ({
  check: () => true,
  async run(model, real) {
    const circuit = await use(process, model, real);
    const id = nextCall++;
    const { operation, ...end } = pending();
    const abort = new AbortController();
    let wentThrough = false;
    const begun = () => {
      wentThrough = true;
      return operation();
    };
    const ended = circuit.execute(begun, { signal: abort.signal }).catch((error: unknown) => error);
    await real.clock.advance(0);
    expect(wentThrough).toBe(model.begin(id));
    if (wentThrough) real.calls.set(id, { operation, ...end, ended, abort });
    else expect(await ended).toMatchObject({ code: 'CIRCUIT_OPEN' });
    await compare(model, real);
  },
  toString: () => `begin(process ${process})`,
});

const end = (pick: number, outcome: Outcome): Command => ({
  check: () => true,
  async run(model, real) {
    const ids = [...real.calls.keys()];
    const id = ids[pick % ids.length];
    const call = id === undefined ? undefined : real.calls.get(id);
    if (id === undefined || call === undefined) return;
    real.calls.delete(id);
    await pass(LONG_ENOUGH_TO_LOOK_AGAIN_MS, model, real);
    model.end(id, outcome);
    if (outcome === 'answer') call.resolve();
    else {
      if (outcome === 'abort') call.abort.abort();
      call.reject(outcome === 'other-error' ? new Error('404') : new Down('nobody is there'));
    }
    await call.ended;
    await pass(LONG_ENOUGH_TO_LOOK_AGAIN_MS, model, real);
    await compare(model, real);
  },
  toString: () => `end(${pick}, ${outcome})`,
});

const reset = (process: number): Command => ({
  check: () => true,
  async run(model, real) {
    const circuit = await use(process, model, real);
    const previous = model.state;
    const changed = model.reset();
    expect(await circuit.reset()).toMatchObject({ previous, current: model.state, changed });
    await compare(model, real);
  },
  toString: () => `reset(process ${process})`,
});

const wait = (ms: number): Command => ({
  check: () => true,
  run: (model, real) => pass(ms, model, real),
  toString: () => `wait(${ms})`,
});

const clockGoesBack = (ms: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.clock.jump(-ms);
    model.now -= ms;
  },
  toString: () => `clockGoesBack(${ms})`,
});

const process = fc.nat(1);
const outcome = fc.constantFrom<Outcome>('fault', 'fault', 'fault', 'answer', 'other-error', 'abort');
const commands = [
  process.map(begin),
  process.map(begin),
  process.map(begin),
  fc.tuple(fc.nat(20), outcome).map(([pick, how]) => end(pick, how)),
  fc.tuple(fc.nat(20), fc.constant<Outcome>('fault')).map(([pick, how]) => end(pick, how)),
  process.map(reset),
  fc.oneof(fc.nat(LIMITS.probeTimeout), fc.constantFrom(1, 9_999, 10_000, 29_999, 30_000)).map(wait),
  fc.nat(60_000).map(clockGoesBack),
];

it('does what the reference machine does, whatever happens in which order in two processes', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (sequence) => {
      await fc.asyncModelRun(() => {
        const real = createReal();
        for (const { bus } of real.processes) bus.subscribe(({ type }) => seen.add(type));
        return { model: new ReferenceMachine(real.clock.now(), LIMITS), real };
      }, sequence);
    }),
    { numRuns: 500 },
  );
  // A property that never leaves the closed state would hold for anything.
  expect([...seen].sort()).toEqual(['circuit_closed', 'circuit_half_open', 'circuit_open']);
});
