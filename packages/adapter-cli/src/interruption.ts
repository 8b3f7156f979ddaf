import { ArgusError, cancelled, openError } from '@argusai/core';
import { exitCodeOfSignal } from './exit-code.js';
import type { Interruption, Io } from './io.js';
import { failure, type Outcome } from './outcome.js';

/** How long work that was told to stop may take to do so, in milliseconds. After that nobody waits for it. */
const graceMs = 500;

/** How long it may take to take back what it had begun. */
const rollBackMs = 180_000;

/** Does the work; when a signal or a crash comes first, stops it and tells that instead. */
export async function untilInterrupted(
  { interrupted, stderr, env }: Pick<Io, 'interrupted' | 'stderr' | 'env'>,
  work: (signal: AbortSignal) => Promise<Outcome>,
  rollsBack: () => boolean,
): Promise<Outcome> {
  const stop = new AbortController();
  const working = work(stop.signal);
  const interruption = await Promise.race([working.then(() => undefined), interrupted]);
  if (!interruption) return await working;
  stop.abort();
  if (interruption.kind === 'crash') return crashed(interruption, env);
  if (rollsBack()) stderr.write('Stopping in order; once more to stop at once\n');
  return {
    ...((await within(rollsBack() ? rollBackMs : graceMs, working)) ?? stopped(interruption)),
    exitCode: exitCodeOfSignal(interruption.number),
  };
}

function crashed({ thrown }: Extract<Interruption, { kind: 'crash' }>, env: Io['env']): Outcome {
  return failure(openError(thrown, env), thrown);
}

function stopped({ name }: Extract<Interruption, { kind: 'signal' }>): Outcome {
  return failure(new ArgusError(cancelled, { message: `The work was ended by ${name}` }).error);
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
