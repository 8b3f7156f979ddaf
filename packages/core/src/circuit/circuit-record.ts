import type { EventBus } from '../events/event-bus.js';
import { isArgusError } from '../model/argus-error.js';
import { storeCorrupt, storeUnavailable } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';
import type { StateStore, StoredDocument } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import { type Machine, type MachineEvent, type MachineLimits, newMachine, reduce } from './machine.js';
import { fromDocument, toDocument } from './machine-document.js';

/** The namespace of the store in which circuits are kept, each under its name. */
export const CIRCUITS_NAMESPACE = 'circuits';

/** How old, in milliseconds, the last look at the store may be before a call looks again. */
export const LOOK_AGAIN_MS = 200;

/** What an event came to. */
export interface MachineChange {
  readonly before: Machine;
  readonly after: Machine;
  /** False when the store failed, so that only this process knows of the change. */
  readonly saved: boolean;
}

/**
 * The machine of one circuit, shared by all processes through the store and kept in memory for a short while, so
 * that a call on a healthy circuit costs no read and no write.
 *
 * A store that fails does not fail the call: the circuit goes on with what this process knows. It is there to keep
 * calls from suffering when something is down, so its own support being down must not be what takes them down. At
 * worst each process counts for itself until the store is back; what was counted meanwhile is then saved, unless
 * another process has written something newer. Whoever needs the store for its own sake reports its failure.
 */
export class CircuitRecord {
  /** The machine as this process last saw it. */
  machine: Machine;
  /**
   * Whether the last look is no longer recent. Told by a timer, so a moment late, for whom that does not matter: a call
   * that has just ended would otherwise pay as much for the time as for everything else.
   */
  hasAged = false;
  /** Why the store could not be read when it was last looked at: then others may know of another machine. */
  unread: unknown;
  readonly #name: string;
  readonly #key: string;
  readonly #limits: MachineLimits;
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #events: EventBus;
  readonly #untouched: Machine;
  #revision: number | 'absent' = 'absent';
  #unsaved = false;
  #seenAt = Number.NEGATIVE_INFINITY;
  #cancelAging: (() => void) | undefined;
  #look: Promise<void> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    { name, scope }: { readonly name: string; readonly scope?: string | undefined },
    limits: MachineLimits,
    { store, clock, events }: { store: StateStore; clock: Clock; events: EventBus },
  ) {
    this.#name = name;
    this.#key = scope === undefined ? name : `${name} ${scope}`;
    this.#limits = limits;
    this.#store = store;
    this.#clock = clock;
    this.#events = events;
    this.#untouched = newMachine(clock.now());
    this.machine = this.#untouched;
  }

  /** Whether the machine in memory is recent enough to act on. */
  get isFresh(): boolean {
    return this.#clock.monotonic() - this.#seenAt < LOOK_AGAIN_MS;
  }

  /** Brings the machine in memory up to date. Callers that come while a look is under way share it. */
  look(): Promise<void> {
    this.#look ??= this.#inTurn(() => this.#read()).finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Lets an event happen to the newest machine there is, by compare-and-set, and announces a change of state. */
  update(event: MachineEvent): Promise<MachineChange> {
    return this.#inTurn(async () => {
      await this.#read();
      for (;;) {
        const before = this.machine;
        const after = reduce(before, event, this.#clock.now(), this.#limits);
        if (after === before) return { before, after, saved: true };
        const written = await this.#write(after);
        if (written === 'conflict') continue;
        this.#announce(before, after);
        return { before, after, saved: written === 'stored' };
      }
    });
  }

  /** One access after the other, so that an older read can never replace what a newer write left in memory. */
  #inTurn<T>(access: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(access);
    // The failure is the caller's to handle; the next in the queue goes on regardless.
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #read(): Promise<void> {
    if (this.#unsaved) {
      await this.#write(this.machine);
      return;
    }
    try {
      const document = await this.#store.get(CIRCUITS_NAMESPACE, this.#key);
      if (document?.revision !== this.#revision) this.#adopt(document);
      this.unread = undefined;
    } catch (error) {
      // What is in memory is the best that is known: see the comment of the class.
      requireStoreFailure(error);
      this.unread = error;
    }
    this.#saw();
  }

  async #write(machine: Machine): Promise<'stored' | 'conflict' | 'kept'> {
    try {
      const result = await this.#store.put(CIRCUITS_NAMESPACE, this.#key, toDocument(machine), {
        ifRevision: this.#revision,
      });
      this.#unsaved = false;
      if (!result.stored) {
        this.#adopt(result.current);
        return 'conflict';
      }
      this.#revision = result.revision;
      this.machine = machine;
      return 'stored';
    } catch (error) {
      // Kept in memory and saved with the next look: see the comment of the class.
      requireStoreFailure(error);
      this.#unsaved = true;
      this.machine = machine;
      return 'kept';
    } finally {
      this.#saw();
    }
  }

  #saw(): void {
    this.#seenAt = this.#clock.monotonic();
    this.hasAged = false;
    this.#cancelAging?.();
    const age = () => {
      this.hasAged = true;
    };
    this.#cancelAging = this.#clock.after(LOOK_AGAIN_MS, age, { background: true });
  }

  #adopt(document: StoredDocument | undefined): void {
    this.#revision = document?.revision ?? 'absent';
    // A document that cannot be understood tells nothing about the thing, so nothing is held against it.
    this.machine = (document && fromDocument(document.value)) ?? this.#untouched;
  }

  #announce({ era }: Machine, { state, era: newEra, failureCount, history }: Machine): void {
    if (era === newEra) return;
    const circuit = this.#name;
    if (state === 'half-open') this.#events.emit('circuit_half_open', { circuit });
    else if (state === 'closed') this.#events.emit('circuit_closed', { circuit, probeSucceeded: true });
    else this.#events.emit('circuit_open', { circuit, failureCount, lastError: history.at(-1)?.error ?? '' });
  }
}

/** Lets only a store that says it cannot be used pass; anything else is a defect, which nothing is gained by hiding. */
function requireStoreFailure(error: unknown): void {
  if (
    isArgusError(error) &&
    (isErrorOf(error.error, storeUnavailable) || isErrorOf(error.error, storeCorrupt))
  ) {
    return;
  }
  throw error;
}
