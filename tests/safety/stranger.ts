import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** How a stranger treats whoever connects: he answers everything with 200, or with nothing. */
export type Manner = 'http' | 'mute';

/** Somebody who takes a port that a service asks for. */
export interface Stranger {
  readonly pid: number;
  /** Whether he got the port. */
  readonly took: boolean;
  leave(): Promise<void>;
}

/** The path of a program of the fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** Has a stranger try to take a port. He leaves with the test at the latest. */
export async function strangerOn(
  port: number,
  manner: Manner = 'http',
  address = '127.0.0.1',
): Promise<Stranger> {
  const child = spawn(process.execPath, [fixture('stranger.mjs'), String(port), manner, address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const leave = async () => {
    child.stdin.end();
    await ended;
  };
  onTestFinished(leave);
  const [said] = await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, took: String(said).trim() === 'took', leave };
}

/** When he comes and how, and what is to become of the port. */
export interface Visit {
  readonly moment: 'before' | 'while' | 'after';
  readonly manner: Manner;
  readonly strategy: 'auto' | 'fail';
}

/** Each moment in turn, the rest by chance. */
export function visitOf(round: number, chance: () => number): Visit {
  return {
    moment: (['before', 'while', 'after'] as const)[round % 3] ?? 'while',
    manner: chance() < 0.5 ? 'http' : 'mute',
    strategy: chance() < 0.5 ? 'auto' : 'fail',
  };
}

/** Has him come: at once, unless it is while a run goes on that begins now. */
export async function visiting(
  { moment, manner }: Visit,
  port: number,
  delayMs: number,
): Promise<{ readonly stranger: Promise<Stranger> }> {
  if (moment === 'while') return { stranger: wait(delayMs).then(() => strangerOn(port, manner)) };
  return { stranger: Promise.resolve(await strangerOn(port, manner)) };
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
