import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { type Clock, systemClock } from '@argusai/core';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Interruption } from '../io.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals that come within so many milliseconds of the first are the same wish: `timeout` tells the process and then its
 * group, so everybody hears it twice.
 */
const echoMs = 100;

/**
 * How long the rest may take after something was ended that held everything up, in milliseconds: with it may have gone what others wait
 * for, and their time was running meanwhile.
 */
const restMs = 2_000;

/** Who tells, and who is told. */
export interface InterruptionParts {
  /** Is told what nobody has handled, and goes on. */
  warn(thrown: unknown): void;
  /** Says the last words of a program that ends at once. */
  beforeHaste(): void;
  /** Settles with what held the whole process up, and was ended. */
  readonly heldUp?: Promise<unknown>;
  readonly source?: EventEmitter;
  readonly clock?: Clock;
  exit?(code: number): void;
}

/** Settles at the first signal or crash, or when the work can never come to its end. Whoever sends a second signal does not want to wait for anything. */
export function interruptions({
  warn,
  beforeHaste,
  heldUp,
  source = process,
  clock = systemClock,
  exit = process.exit,
}: InterruptionParts): Promise<Interruption> {
  return new Promise((resolve) => {
    /** From when on a signal is the second one. */
    let secondFrom = Number.POSITIVE_INFINITY;
    let isFirst = true;
    for (const name of signals) {
      const number = constants.signals[name];
      source.on(name, () => {
        if (clock.monotonic() > secondFrom) {
          beforeHaste();
          exit(exitCodeOfSignal(number));
        }
        if (!isFirst) return;
        isFirst = false;
        // Counted from when everybody has been told, which may take a while.
        setImmediate(() => {
          secondFrom = clock.monotonic() + echoMs;
        });
        resolve({ kind: 'signal', name, number });
      });
    }
    // After a crash the program goes on only to end in order, and whoever sends a signal then has waited long enough.
    let hasCrashed = false;
    const crash = (thrown: unknown, patience: { patienceMs?: number } = {}) => {
      if (hasCrashed) return warn(thrown);
      hasCrashed = true;
      isFirst = false;
      secondFrom = Number.NEGATIVE_INFINITY;
      resolve({ kind: 'crash', thrown, ...patience });
    };
    source.on('uncaughtException', (thrown) => crash(thrown));
    // A signal that came meanwhile is about to be heard, and was there first.
    heldUp?.then((thrown) => clock.after(echoMs, () => isFirst && crash(thrown, { patienceMs: restMs })));
    // A rejection that nobody waits for is a plugin's slip. What it belongs to cannot be told, so it must not cost the
    // results of everything else; it is said, and the work goes on.
    source.on('unhandledRejection', (thrown) => warn(thrown));
    // Nothing is left that could ever finish the work: some promise will never settle. Whoever knows what to do about that
    // hears it as well, so only if it comes to the same again nobody did.
    source.once('beforeExit', () => {
      setImmediate(() => undefined);
      source.once('beforeExit', () => {
        resolve({ kind: 'dead-end', thrown: new Error('Something waits for an answer that can never come') });
      });
    });
  });
}
