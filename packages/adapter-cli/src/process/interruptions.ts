import { constants } from 'node:os';
import { openError } from '@argusai/core';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Interruption } from '../io.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Settles at the first signal or crash, or when the work can never come to its end. Whoever sends a second signal does not want to wait for anything. */
export function interruptions(warn: (message: string) => void): Promise<Interruption> {
  return new Promise((resolve) => {
    let isSecond = false;
    for (const name of signals) {
      const number = constants.signals[name];
      process.on(name, () => {
        if (isSecond) process.exit(exitCodeOfSignal(number));
        isSecond = true;
        resolve({ kind: 'signal', name, number });
      });
    }
    const crash = (thrown: unknown) => resolve({ kind: 'crash', thrown });
    process.on('uncaughtException', crash);
    // A rejection that nobody waits for is a plugin's slip. What it belongs to cannot be told, so it must not cost the
    // results of everything else; it is said, and the work goes on.
    process.on('unhandledRejection', (thrown) => warn(openError(thrown, process.env).message));
    // Nothing is left that could ever finish the work: some promise will never settle.
    process.once('beforeExit', () => crash(new Error('Something waits for an answer that can never come')));
  });
}
