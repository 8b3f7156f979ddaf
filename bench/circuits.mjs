import { createCircuits, createMemoryStore, EventBus, systemClock } from '@argusai/core';
import * as cockatiel from 'cockatiel';
import CircuitBreaker from 'opossum';

const THRESHOLD = 5;
const FOR_EVER_MS = 3_600_000;
const CALLS = 50_000;

const answer = async () => 42;
const fail = async () => {
  throw new Error('down');
};
const refusal = new Error('refused');
/** The least that refuses: the error is there already. */
const refuse = async () => {
  throw refusal;
};

/** Calls one after the other, each awaited, as programs do. */
const closedCalls = (call) => async () => {
  for (let done = 0; done < CALLS; done += 1) await call();
};

const openCalls = (call) => async () => {
  let refused = 0;
  for (let done = 0; done < CALLS; done += 1) {
    try {
      await call();
    } catch {
      refused += 1;
    }
  }
  if (refused !== CALLS) throw new Error(`${CALLS - refused} calls went through an open circuit`);
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

function opossumCircuit(action, atEnd) {
  const breaker = new CircuitBreaker(action, {
    timeout: false,
    resetTimeout: FOR_EVER_MS,
    errorThresholdPercentage: 1,
  });
  atEnd(() => breaker.shutdown());
  return breaker;
}

async function opened(breaker, call) {
  for (let done = 0; done < THRESHOLD; done += 1) await call(breaker).catch(() => undefined);
  return breaker;
}

function closedTable(atEnd) {
  const argus = argusCircuit();
  const other = cockatielCircuit();
  const opossum = opossumCircuit(answer, atEnd);
  return {
    title: 'A closed call',
    floor: 'no circuit',
    contestants: {
      'no circuit': closedCalls(answer),
      argus: closedCalls(() => argus.execute(answer)),
      cockatiel: closedCalls(() => other.execute(answer)),
      opossum: closedCalls(() => opossum.fire()),
    },
    bars: [{ of: 'argus', to: 'cockatiel', most: 1 }],
  };
}

async function openTable(atEnd) {
  const argus = await opened(argusCircuit(), (circuit) => circuit.execute(fail));
  const other = await opened(cockatielCircuit(), (policy) => policy.execute(fail));
  const opossum = await opened(opossumCircuit(fail, atEnd), (breaker) => breaker.fire());
  return {
    title: 'An open call',
    floor: 'an error made before',
    contestants: {
      'an error made before': openCalls(refuse),
      argus: openCalls(() => argus.execute(answer)),
      cockatiel: openCalls(() => other.execute(answer)),
      opossum: openCalls(() => opossum.fire()),
    },
    bars: [{ of: 'argus', to: 'cockatiel', most: 0.5 }],
  };
}

/** What a call through a circuit costs. */
export default {
  title: 'Circuits',
  about:
    'A call of a function that does nothing, through a circuit that lets it pass and through one that refuses it. The floor of a refusal throws one and the same error each time, where the others make one for each call. Each measure is 50,000 calls, one awaited after the other.',
  async prepare({ atEnd }) {
    const shape = { unit: 'ns', per: CALLS, rounds: 31, warmUps: 5, peers: ['cockatiel', 'opossum'] };
    const tables = [closedTable(atEnd), await openTable(atEnd)];
    return { tables: tables.map((table) => ({ ...shape, ...table })) };
  },
};
