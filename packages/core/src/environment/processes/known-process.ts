import { processStart } from './process-identity.js';

/** A process and when it began, which together are never used again. */
export interface KnownProcess {
  readonly pid: number;
  readonly start: string;
}

/** The processes with these numbers that are there. What cannot be looked at is left out, so that it gets no signal. */
export async function identified(pids: readonly number[]): Promise<KnownProcess[]> {
  const starts = await Promise.all(pids.map(startOf));
  return pids.flatMap((pid, index) => {
    const start = starts[index];
    return start === undefined ? [] : [{ pid, start }];
  });
}

/** Those that have not ended. */
export async function stillThere(known: readonly KnownProcess[]): Promise<KnownProcess[]> {
  const starts = await Promise.all(known.map(({ pid }) => startOf(pid)));
  return known.filter(({ start }, index) => starts[index] === start);
}

/** Signals a process, never a later one that has got its number. Tells whether it was there to be signalled. */
export async function signalKnown({ pid, start }: KnownProcess, signal: NodeJS.Signals): Promise<boolean> {
  if ((await startOf(pid)) !== start) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended in this moment, or it may not be signalled; which of the two, the next look tells.
    return false;
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  try {
    return await processStart(pid);
  } catch {
    // What cannot be looked at gets no signal.
    return undefined;
  }
}
