import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { argusProgram } from '../support/run-command.js';

/** A structured error as it is printed. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> & {
    readonly rollback?: { readonly removed: readonly string[]; readonly failed: readonly string[] };
  };
}

/** What a call of `argus --format ndjson` prints: events and, at last, the result. */
export interface Line {
  readonly type: string;
  readonly ok?: boolean;
  readonly error?: Trouble;
  readonly data?: Readonly<Partial<Record<'service' | 'state' | 'stage' | 'line', string>>>;
}

/** A call of argus that goes on. */
export interface Call {
  /** Waits for an event that fits. */
  until(fits: (event: Line) => boolean): Promise<void>;
  /** Tells whether it has ended. */
  isOver(): boolean;
  /** Sends a signal to argus alone, or, as a terminal does, to all that it has started in its group. */
  kill(signal: NodeJS.Signals, whom: 'alone' | 'group'): void;
  /** How it ended, with all that it said and the last of it. */
  ended(): Promise<{ code: number | null; result: Line | undefined; events: readonly Line[] }>;
}

/** Starts a command of argus and follows what it says. It ends with the test at the latest. */
export function beginCall(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Call {
  const child = spawn(process.execPath, [argusProgram, ...args, '--format', 'ndjson'], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { pid = 0 } = child;
  const events: Line[] = [];
  const listeners = new Set<() => void>();
  let isOver = false;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line));
    tell();
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(([[code]]) => {
    isOver = true;
    tell();
    return { code: code as number | null, result: events.at(-1), events };
  });
  onTestFinished(async () => {
    if (!isOver) process.kill(-pid, 'SIGKILL');
    await ended;
  });
  return {
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (events.some(fits)) resolve();
          else if (isOver) reject(new Error(`it ended first: ${JSON.stringify(events.at(-1))}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    isOver: () => isOver,
    kill: (signal, whom) => void process.kill(whom === 'group' ? -pid : pid, signal),
    ended: () => ended,
  };
}
