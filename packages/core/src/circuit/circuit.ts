import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';
import { type CircuitRecord, LOOK_AGAIN_MS } from './circuit-record.js';
import type { CircuitBreakerState, CircuitReset } from './circuit-state.js';
import {
  clockWentBack,
  type Fault,
  heldBackMs,
  holdsTurn,
  isProbed,
  type Machine,
  type MachineLimits,
  type TurnProcess,
} from './machine.js';
import { openError } from './open-error.js';
import { OwnProbe } from './own-probe.js';

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
  /**
   * Calls the operation, or fails at once with `CIRCUIT_OPEN` while calls are held back. While a call of this process
   * finds out whether the thing is back, the others of this process wait for it, and fail if it does. Those of other processes wait
   * for as long as the definition says.
   */
  execute<T>(operation: CircuitOperation<T>, options?: CallOptions): Promise<T>;
  /** The circuit as it is now, for all processes that share the store. */
  state(): Promise<CircuitBreakerState>;
  /**
   * Whether every call goes through. For those who may ask the thing beside their own work and must not be the probe. While a
   * call finds out whether the thing is back, it waits for that, as other calls do.
   */
  isClosed(options?: CallOptions): Promise<boolean>;
  /** Makes an open circuit half-open, so that the next call is the probe. Fails where nobody can tell whether it is open. */
  reset(): Promise<CircuitReset>;
  /** Gives back the turn of a probe that is under way: whoever ends the process must not leave others waiting. */
  release(): Promise<void>;
}

/** How processes that take turns are told apart. */
export interface TurnProcesses {
  /** This process, as far as it can be told. */
  own(): Promise<TurnProcess | undefined>;
  /** Whether a process is known to be gone. */
  isGone(process: TurnProcess): Promise<boolean>;
}

/** What a guarding circuit works with. */
export interface GuardingParts {
  readonly name: string;
  readonly record: CircuitRecord;
  readonly limits: MachineLimits;
  /** How long a call waits for the probe of another process. */
  readonly probeWaitMs: number;
  readonly clock: Clock;
  /** Whether an error is a fault of the thing itself. Any other error is an answer. */
  readonly isFault: (error: unknown) => boolean;
  /** What is remembered of a fault. */
  readonly faultOf: (error: unknown) => Fault;
  /** A name for one turn that nobody else has. */
  readonly newOwner: () => string;
  /** Left out, only time tells that a process which had the turn is gone. */
  readonly processes?: TurnProcesses | undefined;
}

/** The circuit that counts and holds back. What it decides is in `machine.ts`, what it knows in its record. */
export class GuardingCircuit implements Circuit {
  readonly name: string;
  readonly #parts: GuardingParts;
  readonly #record: CircuitRecord;
  readonly #clock: Clock;
  /** The call of this process that asks for the turn or has it. The store alone decides who gets it. */
  #probe: OwnProbe | undefined;

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
    const record = this.#record;
    if (!record.isFresh) return this.#lookAndDecide(operation, signal);
    // The way that nearly every call takes is the shortest.
    const { state, era } = record.machine;
    return state === 'closed' ? this.#call(operation, signal, era) : this.#decide(operation, signal);
  }

  async state(): Promise<CircuitBreakerState> {
    await this.#record.look();
    const { state, era, failureCount, since, history } = this.#record.machine;
    return {
      name: this.name,
      state,
      failureCount,
      lastFailureTime: history.at(-1)?.timestamp ?? null,
      lastStateTransition: era === 0 ? null : since,
      failureHistory: structuredClone(history),
    };
  }

  async isClosed(options?: CallOptions): Promise<boolean> {
    if (!this.#record.isFresh) await this.#record.look();
    const probe = this.#probe;
    if (this.#record.machine.state !== 'closed')
      await (probe ? probe.ended(options?.signal) : this.#othersProbe(options?.signal));
    return this.#record.machine.state === 'closed';
  }

  async reset(): Promise<CircuitReset> {
    const { before, after, saved } = await this.#record.update({ type: 'reset' });
    if (before.state === 'closed' && this.#record.unread !== undefined) throw this.#record.unread;
    const changed = before !== after;
    const isProbed = after.state === 'half-open' && after.turn !== null && !(await this.#freed(after));
    const outcome = {
      open: 'was open and is half-open now: the next call is the probe',
      'half-open': isProbed
        ? 'is half-open already: a call is finding out whether it can close'
        : 'is half-open already: the next call is the probe',
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

  async release(): Promise<void> {
    const probe = this.#probe;
    if (probe) await this.#record.update({ type: 'give-turn-back', owner: probe.owner });
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
    const heldBack = heldBackMs(machine, now, this.#parts.limits);
    const probe = this.#probe;
    if (probe && probe.leftMs > 0 && (heldBack === 0 || holdsTurn(machine, probe.owner))) {
      return this.#waitFor(probe, operation, signal);
    }
    if (heldBack === 0) return this.#ask(operation, signal);
    return machine.state === 'open'
      ? this.#refuse(machine, heldBack)
      : this.#refuseUnlessFreed(machine, heldBack, operation, signal);
  }

  /** Goes on as the probe of this process has shown. Whoever waited for one that faulted does not call. */
  async #waitFor<T>(
    probe: OwnProbe,
    operation: CircuitOperation<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if ((await probe.ended(signal)) === 'over') return this.execute(operation, { signal });
    const { machine } = this.#record;
    throw openError(this.name, machine, heldBackMs(machine, this.#clock.now(), this.#parts.limits));
  }

  async #refuseUnlessFreed<T>(
    machine: Machine,
    heldBack: number,
    operation: CircuitOperation<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const isOver = (await this.#freed(machine)) || (await this.#othersProbe(signal));
    if (isOver) return this.execute(operation, { signal });
    const left = heldBackMs(this.#record.machine, this.#clock.now(), this.#parts.limits);
    throw openError(this.name, this.#record.machine, Math.min(heldBack, left));
  }

  /** Waits for the probe of another process; false when it is still under way after as long as one waits for it. */
  async #othersProbe(signal: AbortSignal | undefined): Promise<boolean> {
    for (let leftMs = this.#parts.probeWaitMs; isProbed(this.#record.machine); leftMs -= LOOK_AGAIN_MS) {
      if (leftMs <= 0) return false;
      await pause(this.#clock, Math.min(leftMs, LOOK_AGAIN_MS), signal);
      await this.#record.look();
      if (await this.#freed(this.#record.machine)) return true;
    }
    return true;
  }

  /** Gives back the turn of a process that is gone. False when it may still be at work. */
  async #freed(machine: Machine): Promise<boolean> {
    const turn = machine.state === 'half-open' ? machine.turn : null;
    if (!turn?.process || !(await this.#parts.processes?.isGone(turn.process))) return false;
    await this.#record.update({ type: 'give-turn-back', owner: turn.owner });
    return true;
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
    if (this.#record.machine.failureCount > 0 || this.#record.hasAged) await this.#answered(era);
    return value;
  }

  async #failed(error: unknown, era: number): Promise<void> {
    if (!this.#parts.isFault(error)) return this.#answered(era);
    if (era !== this.#record.machine.era) return;
    await this.#record.update({ type: 'fault', era, fault: this.#parts.faultOf(error) });
  }

  async #answered(era: number): Promise<void> {
    // Faults that others have counted during a long call are no longer consecutive either.
    if (!this.#record.isFresh) await this.#record.look();
    const { machine } = this.#record;
    // Memory never lags behind the moment when the call began: another era there means that the call's own is over.
    if (era !== machine.era || machine.failureCount === 0) return;
    await this.#record.update({ type: 'answered', era });
  }

  async #ask<T>(operation: CircuitOperation<T>, signal: AbortSignal | undefined) {
    const owner = this.#parts.newOwner();
    const probe = new OwnProbe(owner, this.#parts.limits.probeTimeoutMs, this.#clock);
    this.#probe = probe;
    try {
      const process = await this.#parts.processes?.own();
      const { after } = await this.#record.update({ type: 'ask-turn', owner, process });
      if (holdsTurn(after, owner)) return await this.#useTurn(operation, signal, probe);
    } finally {
      if (this.#probe === probe) this.#probe = undefined;
      probe.end('over');
    }
    // Someone else has the turn, or has closed the circuit with it.
    return this.execute(operation, { signal });
  }

  async #useTurn<T>(
    operation: CircuitOperation<T>,
    signal: AbortSignal | undefined,
    probe: OwnProbe,
  ): Promise<T> {
    const { owner } = probe;
    let value: T;
    try {
      signal?.throwIfAborted();
      value = await operation(signal);
    } catch (error) {
      const { before, after } = await this.#record.update(
        signal?.aborted
          ? { type: 'give-turn-back', owner }
          : this.#parts.isFault(error)
            ? { type: 'probe-fault', owner, fault: this.#parts.faultOf(error) }
            : { type: 'probe-answered', owner },
      );
      if (before !== after && after.state === 'open') probe.end('faulted');
      throw error;
    }
    await this.#record.update({ type: 'probe-answered', owner });
    return value;
  }
}
