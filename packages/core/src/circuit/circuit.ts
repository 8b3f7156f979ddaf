import type { Clock } from '../time/clock.js';
import type { CircuitRecord } from './circuit-record.js';
import type { CircuitBreakerState, CircuitReset } from './circuit-state.js';
import { clockWentBack, heldBackMs, holdsTurn, type Machine, type MachineLimits } from './machine.js';
import { openError } from './open-error.js';

/** What a call through a circuit may be given. */
export interface CallOptions {
  /**
   * The caller's own signal. A call that ends in an error after it was aborted says nothing about the thing
   * behind the circuit, so the time limit that shows a thing to be down belongs inside the operation.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Something to do through a circuit. It is given the caller's signal. */
export type CircuitOperation<T> = (signal?: AbortSignal) => Promise<T>;

/** A breaker with a name around something that can be down. */
export interface Circuit {
  readonly name: string;
  /** Calls the operation, or fails at once with `CIRCUIT_OPEN` while calls are held back. */
  execute<T>(operation: CircuitOperation<T>, options?: CallOptions): Promise<T>;
  /** The circuit as it is now, for all processes that share the store. */
  state(): Promise<CircuitBreakerState>;
  /** Makes an open circuit half-open, so that the next call is the probe. */
  reset(): Promise<CircuitReset>;
}

/** What a guarding circuit works with. */
export interface GuardingParts {
  readonly name: string;
  readonly record: CircuitRecord;
  readonly limits: MachineLimits;
  readonly clock: Clock;
  /** Whether an error is a fault of the thing itself. Any other error is an answer. */
  readonly isFault: (error: unknown) => boolean;
  /** What is remembered of a fault. */
  readonly textOf: (error: unknown) => string;
  /** A name for one turn that nobody else has. */
  readonly newOwner: () => string;
}

/** The circuit that counts and holds back. What it decides is in `machine.ts`, what it knows in its record. */
export class GuardingCircuit implements Circuit {
  readonly name: string;
  readonly #parts: GuardingParts;
  readonly #record: CircuitRecord;
  readonly #clock: Clock;
  /**
   * Until when, by the monotonic clock, a call of this process asks for the turn or has it. The store alone decides who
   * gets it; this spares the others of this process the asking, and keeps the turn when the wall clock jumps ahead.
   */
  #probingUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: GuardingParts) {
    this.name = parts.name;
    this.#parts = parts;
    this.#record = parts.record;
    this.#clock = parts.clock;
  }

  // Not async: the promise of whatever it comes to is the caller's, without another one around it.
  execute<T>(operation: CircuitOperation<T>, options?: CallOptions): Promise<T> {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this.#record.isFresh) return this.#lookAndDecide(operation, signal);
    return this.#decide(operation, signal);
  }

  async state(): Promise<CircuitBreakerState> {
    await this.#record.look();
    const { state, failureCount, since, history } = this.#record.machine;
    return {
      name: this.name,
      state,
      failureCount,
      lastFailureTime: history.at(-1)?.timestamp ?? null,
      lastStateTransition: since,
      failureHistory: structuredClone(history),
    };
  }

  async reset(): Promise<CircuitReset> {
    const { before, after, saved } = await this.#record.update({ type: 'reset' });
    const changed = before !== after;
    const outcome = {
      open: 'was open and is half-open now: the next call is the probe',
      'half-open': 'is half-open already: nothing to reset',
      closed: 'is closed: nothing to reset',
    }[before.state];
    const remark = saved ? '' : ' (in this process only, because the state store could not be written)';
    return {
      previous: before.state,
      current: after.state,
      changed,
      failureHistory: structuredClone(after.history),
      message: `Circuit ${this.name} ${outcome}${remark}`,
    };
  }

  async #lookAndDecide<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined) {
    await this.#record.look();
    signal?.throwIfAborted();
    return this.#decide(operation, signal);
  }

  #decide<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined): Promise<T> {
    const { machine } = this.#record;
    if (machine.state === 'closed') return this.#call(operation, signal, machine.era);
    const now = this.#clock.now();
    if (clockWentBack(machine, now)) return this.#setRight(operation, signal);
    const heldBack =
      heldBackMs(machine, now, this.#parts.limits) ||
      Math.max(0, this.#probingUntil - this.#clock.monotonic());
    return heldBack > 0 ? this.#refuse(machine, heldBack) : this.#probe(operation, signal);
  }

  async #setRight<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined): Promise<T> {
    await this.#record.update({ type: 'clock-went-back' });
    return this.execute(operation, { signal });
  }

  async #refuse(machine: Machine, heldBack: number): Promise<never> {
    // A promise that is rejected before its caller can attach a handler is first booked as unhandled by Node and
    // then taken off the books again, which costs more than this turn of the microtask queue.
    await undefined;
    throw openError(this.name, machine, heldBack);
  }

  async #call<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined, era: number): Promise<T> {
    let value: T;
    try {
      value = await operation(signal);
    } catch (error) {
      if (!signal?.aborted) await this.#failed(error, era);
      throw error;
    }
    if (this.#record.machine.failureCount > 0 || !this.#record.isFresh) await this.#answered(era);
    return value;
  }

  async #failed(error: unknown, era: number): Promise<void> {
    if (!this.#parts.isFault(error)) return this.#answered(era);
    if (era !== this.#record.machine.era) return;
    await this.#record.update({ type: 'fault', era, error: this.#parts.textOf(error) });
  }

  async #answered(era: number): Promise<void> {
    // Faults that others have counted during a long call are no longer consecutive either.
    if (!this.#record.isFresh) await this.#record.look();
    const { machine } = this.#record;
    // Memory never lags behind the moment when the call began: another era there means that the call's own is over.
    if (era !== machine.era || machine.failureCount === 0) return;
    await this.#record.update({ type: 'answered', era });
  }

  async #probe<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined) {
    const owner = this.#parts.newOwner();
    this.#probingUntil = this.#clock.monotonic() + this.#parts.limits.probeTimeoutMs;
    try {
      const { after } = await this.#record.update({ type: 'ask-turn', owner });
      if (holdsTurn(after, owner)) return await this.#useTurn(operation, signal, owner);
    } finally {
      this.#probingUntil = Number.NEGATIVE_INFINITY;
    }
    // Someone else has the turn, or has closed the circuit with it.
    return this.execute(operation, { signal });
  }

  async #useTurn<T>(
    operation: CircuitOperation<T>,
    signal: AbortSignal | undefined,
    owner: string,
  ): Promise<T> {
    let value: T;
    try {
      signal?.throwIfAborted();
      value = await operation(signal);
    } catch (error) {
      await this.#record.update(
        signal?.aborted
          ? { type: 'give-turn-back', owner }
          : this.#parts.isFault(error)
            ? { type: 'probe-fault', owner, error: this.#parts.textOf(error) }
            : { type: 'probe-answered', owner },
      );
      throw error;
    }
    await this.#record.update({ type: 'probe-answered', owner });
    return value;
  }
}
