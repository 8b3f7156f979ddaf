import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRig, Down, LONG_ENOUGH_TO_LOOK_AGAIN_MS, pending } from './fixtures/circuit-rig.js';
import { type Outcome, type Place, ReferenceMachine } from './fixtures/reference-machine.js';

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

type Call = ReturnType<typeof pending> & {
  ended: Promise<unknown>;
  abort: AbortController;
  place: () => Place;
};
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
  model.pass(ms);
}

async function compare(model: ReferenceMachine, real: Real) {
  expect(await real.observer.circuit.state()).toMatchObject({
    state: model.state,
    failureCount: model.failures,
  });
  expect(real.events).toEqual(model.events);
  expect(new Map([...real.calls].map(([id, call]) => [id, call.place()]))).toEqual(model.places);
  for (const [id, { place, ended }] of real.calls) {
    if (place() !== 'refused') continue;
    expect(await ended).toMatchObject({ code: 'CIRCUIT_OPEN' });
    real.calls.delete(id);
    model.places.delete(id);
  }
}

const begin = (process: number): Command => ({
  check: () => true,
  async run(model, real) {
    const circuit = await use(process, model, real);
    const id = nextCall++;
    const { operation, ...end } = pending();
    const abort = new AbortController();
    let place: Place = 'waits';
    const begun = () => {
      place = 'through';
      return operation();
    };
    const ended = circuit.execute(begun, { signal: abort.signal }).catch((error: unknown) => {
      if (place === 'waits') place = 'refused';
      return error;
    });
    real.calls.set(id, { operation, ...end, ended, abort, place: () => place });
    await real.clock.advance(0);
    model.begin(id, process);
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
    await pass(LONG_ENOUGH_TO_LOOK_AGAIN_MS, model, real);
    await compare(model, real);
    if (!real.calls.delete(id)) return;
    if (call.place() === 'waits') {
      model.leave(id);
      call.abort.abort();
      expect(await call.ended).toMatchObject({ name: 'AbortError' });
      return;
    }
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
  async run(model, real) {
    await pass(ms, model, real);
    await compare(model, real);
  },
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
  let waited = 0;
  let last: ReferenceMachine | undefined;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (sequence) => {
      await fc.asyncModelRun(() => {
        const real = createReal();
        for (const { bus } of real.processes) bus.subscribe(({ type }) => seen.add(type));
        const model = new ReferenceMachine(real.clock.now(), LIMITS);
        last = model;
        return { model, real };
      }, sequence);
      waited += last?.waited ?? 0;
    }),
    { numRuns: 500 },
  );
  // A property that never leaves the closed state would hold for anything.
  expect([...seen].sort()).toEqual(['circuit_closed', 'circuit_half_open', 'circuit_open']);
  expect(waited).toBeGreaterThan(0);
});
