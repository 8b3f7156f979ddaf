import { constants } from 'node:os';
import { openError } from '@argusai/core';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Interruption } from '../io.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Settles at the first signal or crash, or when the work can never come to its end. Whoever sends a second signal does not want to wait for anything. */
export function interruptions(warn: (message: string) => void): Promise<Interruption> {
  return new Promise((resolve) => {
    let isSecond = false;
    const tell = (thrown: unknown) => warn(openError(thrown, process.env).message);
    for (const name of signals) {
      const number = constants.signals[name];
      process.on(name, () => {
        if (isSecond) process.exit(exitCodeOfSignal(number));
        isSecond = true;
        resolve({ kind: 'signal', name, number });
      });
    }
    // After a crash the program goes on only to end in order, and whoever sends a signal then has waited long enough.
    let hasCrashed = false;
    process.on('uncaughtException', (thrown) => {
      if (hasCrashed) return tell(thrown);
      hasCrashed = true;
      isSecond = true;
      resolve({ kind: 'crash', thrown });
    });
    // A rejection that nobody waits for is a plugin's slip. What it belongs to cannot be told, so it must not cost the
    // results of everything else; it is said, and the work goes on.
    process.on('unhandledRejection', tell);
    // Nothing is left that could ever finish the work: some promise will never settle.
    process.once('beforeExit', () => {
      resolve({ kind: 'dead-end', thrown: new Error('Something waits for an answer that can never come') });
    });
  });
}
