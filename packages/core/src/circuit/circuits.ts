import type { EventBus } from '../events/event-bus.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { createRedactor, type Redactor } from '../redact/redactor.js';
import type { StateStore } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import { type Random, systemRandom } from '../time/random.js';
import { type Circuit, GuardingCircuit, type TurnProcesses } from './circuit.js';
import { CircuitRecord } from './circuit-record.js';
import type { CircuitBreakerState } from './circuit-state.js';
import { DisabledCircuit } from './disabled-circuit.js';
import { faultOf } from './fault-text.js';

/** The shortest time, in milliseconds, after which a probe that is not heard of counts as dead by default. */
const MIN_PROBE_TIMEOUT_MS = 30_000;

/** How circuits behave unless a definition says otherwise: the section `resilience.circuitBreaker`. */
export interface CircuitsConfig {
  /** Without it, every call goes through. */
  readonly enabled: boolean;
  /** So many consecutive faults open a circuit. */
  readonly failureThreshold: number;
  /** After so long an open circuit lets a probe through. */
  readonly resetTimeoutMs: number;
}

/** What circuits are made of. */
export interface CircuitsParts {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly config: CircuitsConfig;
  readonly random?: Random;
  /** Tells whether a process that has the turn of a probe is gone; left out, only time does. */
  readonly processes?: TurnProcesses | undefined;
  /** Removes secrets from the message of a fault before it is stored. */
  readonly redactor?: Pick<Redactor, 'first'>;
}

/** What a plugin says about a thing that can be down. */
export interface CircuitDefinition {
  /** The thing, in one word: `docker`. All processes that share the store share the circuit of that name. */
  readonly name: string;
  /** Whether an error means that the thing itself is down. Any other error means that it answered. */
  readonly isFault: (error: unknown) => boolean;
  /**
   * Which one it is, when the same name means different things to different users of a store, such as the engine that
   * somebody's client speaks to. The circuit has its name all the same, and shares its state only with the same scope.
   */
  readonly scope?: string | undefined;
  readonly failureThreshold?: number | undefined;
  readonly resetTimeoutMs?: number | undefined;
  /**
   * After so long a probe counts as lost and another one may go: at least as long as an operation may
   * take. By default the reset timeout, but no less than 30 seconds.
   */
  readonly probeTimeoutMs?: number | undefined;
  /**
   * How long a call waits, while a call of another process finds out whether the thing is back, before it is refused. Left out,
   * it is refused at once.
   */
  readonly probeWaitMs?: number | undefined;
  /**
   * A cheap way to see whether the thing is back, for whoever begins something on purpose while the circuit is open. What it finds
   * counts for nothing but that the next call is the probe.
   */
  readonly isBack?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
}

/** All circuits, by name. */
export class Circuits {
  readonly #parts: CircuitsParts;
  readonly #circuits = new Map<string, Circuit>();
  readonly #looks = new Map<string, (signal: AbortSignal) => Promise<boolean>>();

  constructor(parts: CircuitsParts) {
    this.#parts = parts;
  }

  /** Makes the circuit around one thing. A name can be defined once. */
  define(definition: CircuitDefinition): Circuit {
    const { name } = definition;
    if (this.#circuits.has(name)) {
      throw new ArgusError(usageInvalid, {
        message: `The circuit ${name} is defined twice`,
        details: { circuit: name },
      });
    }
    const circuit = this.#make(definition);
    this.#circuits.set(name, circuit);
    const { isBack } = definition;
    if (isBack) this.#looks.set(name, isBack);
    return circuit;
  }

  /**
   * Lets the next call be the probe of every open circuit whose thing is back already: what a killed one has cost is not held
   * against the one that was started in its place.
   */
  async knock(signal: AbortSignal): Promise<void> {
    const states = await this.states();
    if (states.every(({ state }) => state !== 'open')) return;
    await Promise.all(
      this.all().map(async (circuit) => (await this.isBack(circuit.name, signal)) && circuit.reset()),
    );
  }

  /** Whether the thing behind the circuit of that name answers by now, asked beside it; no, where nobody can tell. */
  async isBack(name: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#looks.get(name)?.(signal)) ?? false;
  }

  /** The circuit of that name, if it is defined. */
  get(name: string): Circuit | undefined {
    return this.#circuits.get(name);
  }

  /** Every circuit, in the order of definition. */
  all(): Circuit[] {
    return [...this.#circuits.values()];
  }

  /** How every circuit is now. */
  states(): Promise<CircuitBreakerState[]> {
    return Promise.all(this.all().map((circuit) => circuit.state()));
  }

  /** Gives back every turn that a call of this process has. Whoever is done with the store does this first. */
  async release(): Promise<void> {
    await Promise.all(this.all().map((circuit) => circuit.release()));
  }

  #make(definition: CircuitDefinition): Circuit {
    const { name, isFault, probeWaitMs = 0 } = definition;
    const { clock, config, random = systemRandom, redactor = createRedactor() } = this.#parts;
    if (!config.enabled) return new DisabledCircuit(name);
    const limits = limitsOf(definition, config);
    return new GuardingCircuit({
      name,
      record: new CircuitRecord(definition, limits, this.#parts),
      limits,
      probeWaitMs,
      clock,
      isFault,
      processes: this.#parts.processes,
      faultOf: (error) => faultOf(error, redactor),
      newOwner: () => `${process.pid}-${wordOf(random)}${wordOf(random)}`,
    });
  }
}

/** Makes the circuits of a kernel. */
export function createCircuits(parts: CircuitsParts): Circuits {
  return new Circuits(parts);
}

function limitsOf(definition: CircuitDefinition, config: CircuitsConfig) {
  const resetTimeoutMs = definition.resetTimeoutMs ?? config.resetTimeoutMs;
  const limits = {
    failureThreshold: definition.failureThreshold ?? config.failureThreshold,
    resetTimeoutMs,
    probeTimeoutMs: definition.probeTimeoutMs ?? Math.max(resetTimeoutMs, MIN_PROBE_TIMEOUT_MS),
  };
  for (const [limit, value] of Object.entries(limits)) {
    const isRight = limit === 'failureThreshold' ? Number.isInteger(value) && value >= 1 : value >= 0;
    if (isRight) continue;
    throw new ArgusError(usageInvalid, {
      message: `The circuit ${definition.name} cannot have a ${limit} of ${value}`,
      details: { circuit: definition.name, limit, value: String(value) },
    });
  }
  return limits;
}

function wordOf(random: Random): string {
  return random().toString(36).slice(2);
}
