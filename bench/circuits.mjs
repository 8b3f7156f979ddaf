/**
 * What a call through a circuit costs, beside cockatiel and opossum. The bar: a closed call costs no more than
 * cockatiel's, an open one less than half of it. Exits with 1 when it is missed.
 */
import { createCircuits, createMemoryStore, EventBus, systemClock } from '@argusai/core';
import * as cockatiel from 'cockatiel';
import CircuitBreaker from 'opossum';
import { interleave } from './interleave.mjs';

const THRESHOLD = 5;
const FOR_EVER_MS = 3_600_000;
const ROUNDS = { rounds: 31, warmUps: 5, calls: 50_000 };

const answer = async () => 42;
const fail = async () => {
  throw new Error('down');
};

/** Calls one after the other, each awaited, as programs do. */
const closedCalls = (call) => async (calls) => {
  for (let i = 0; i < calls; i += 1) await call();
};

const openCalls = (call) => async (calls) => {
  let refused = 0;
  for (let i = 0; i < calls; i += 1) {
    try {
      await call();
    } catch {
      refused += 1;
    }
  }
  if (refused !== calls) throw new Error(`${calls - refused} calls went through an open circuit`);
};

function argusCircuit() {
  const circuits = createCircuits({
    store: createMemoryStore(),
    clock: systemClock,
    events: new EventBus(systemClock),
    config: { enabled: true, failureThreshold: THRESHOLD, resetTimeoutMs: FOR_EVER_MS },
  });
  return circuits.define({ name: 'bench', isFault: () => true });
}

const cockatielCircuit = () =>
  cockatiel.circuitBreaker(cockatiel.handleAll, {
    halfOpenAfter: FOR_EVER_MS,
    breaker: new cockatiel.ConsecutiveBreaker(THRESHOLD),
  });

const opossumCircuit = (action) =>
  new CircuitBreaker(action, { timeout: false, resetTimeout: FOR_EVER_MS, errorThresholdPercentage: 1 });

async function opened(breaker, call) {
  for (let i = 0; i < THRESHOLD; i += 1) await call(breaker).catch(() => undefined);
  return breaker;
}

const print = (title, medians, bar) => {
  const ratio = medians.argus / medians.cockatiel;
  console.log(`${title}, median of ${ROUNDS.rounds} rounds of ${ROUNDS.calls} calls`);
  for (const [name, ns] of Object.entries(medians)) {
    console.log(
      `  ${name.padEnd(10)} ${ns.toFixed(0).padStart(6)} ns  ${(ns / medians.cockatiel).toFixed(2)} × cockatiel`,
    );
  }
  console.log(
    `  bar: ${bar.toFixed(2)} × cockatiel, argus ${ratio <= bar ? 'holds' : 'misses'} it with ${ratio.toFixed(2)}\n`,
  );
  if (ratio > bar) process.exitCode = 1;
};

const closed = { argus: argusCircuit(), cockatiel: cockatielCircuit(), opossum: opossumCircuit(answer) };
const closedMedians = await interleave(
  {
    'no circuit': closedCalls(answer),
    argus: closedCalls(() => closed.argus.execute(answer)),
    cockatiel: closedCalls(() => closed.cockatiel.execute(answer)),
    opossum: closedCalls(() => closed.opossum.fire()),
  },
  ROUNDS,
);
print('A closed call', closedMedians, 1);

const open = {
  argus: await opened(argusCircuit(), (circuit) => circuit.execute(fail)),
  cockatiel: await opened(cockatielCircuit(), (policy) => policy.execute(fail)),
  opossum: await opened(opossumCircuit(fail), (breaker) => breaker.fire()),
};
const openMedians = await interleave(
  {
    argus: openCalls(() => open.argus.execute(answer)),
    cockatiel: openCalls(() => open.cockatiel.execute(answer)),
    opossum: openCalls(() => open.opossum.fire()),
  },
  ROUNDS,
);
print('An open call', openMedians, 0.5);

closed.opossum.shutdown();
open.opossum.shutdown();
