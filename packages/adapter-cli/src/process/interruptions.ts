import { constants } from 'node:os';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Interruption } from '../io.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Settles at the first signal or crash. Whoever sends a second signal does not want to wait for anything. */
export function interruptions(): Promise<Interruption> {
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
    process.on('unhandledRejection', crash);
  });
}
