import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../environment/process-project.js';
import { many } from '../support/many.js';

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
interface Visit {
  readonly moment: 'before' | 'while' | 'after';
  readonly manner: Manner;
  readonly strategy: 'auto' | 'fail';
}

/** A service that takes its time before it listens. */
interface Wish extends Pick<Visit, 'strategy'> {
  readonly delayMs: number;
  chance(): number;
}

/** What is read of an answer. */
interface Answer {
  readonly error?: unknown;
  readonly data?: { readonly outcome?: string; readonly notices?: readonly unknown[] };
}

/** A project with the service `web`, and a suite that passes whoever answers. */
interface Visited {
  readonly project: { argus(...args: string[]): Promise<Answer> };
  /** Who answered the suite, if it ran. */
  who(): string | undefined;
  /** Has the service leave its port. */
  leave(): Promise<void>;
}

const seed = Number(process.env.ARGUS_TEST_SEED ?? randomInt(2 ** 31));

/** Has strangers come at random moments, more often with `npm run test:long`: whatever passes has seen the service. */
export function neverPassesFor(
  what: string,
  { usual, withinMs }: { readonly usual: number; readonly withinMs: number },
  projectOn: (port: number, wish: Wish) => Promise<Visited>,
): void {
  const rounds = Math.min(100, many(usual).numRuns);
  const timeout = rounds * 30_000;
  it(`never passes for the service, whenever he comes (${rounds} times, seed ${seed})`, {
    timeout,
  }, async () => {
    const chance = mulberry(seed);
    const tally: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const visit = visitOf(round, chance);
      const { moment, manner, strategy } = visit;
      const port = await freePorts(2);
      const wish = { delayMs: Math.round(chance() * 600), strategy, chance };
      const { project, who, leave } = await projectOn(port, wish);
      const plan = `${moment} ${manner} ${strategy}`;
      if (moment === 'after') {
        expect((await project.argus('setup')).error, plan).toBeUndefined();
        await leave();
      }
      const coming = await visiting(visit, port, chance() * withinMs);
      const run = await project.argus('run');
      const stranger = await coming.stranger;
      const passed = run.data?.outcome === 'passed';
      const seen = `${plan} ${JSON.stringify({ took: stranger.took, run })}`;
      if (passed) expect(who(), seen).toBe('own');
      else {
        const problem = run.error ?? run.data?.notices?.[0];
        expect(problem, seen).toMatchObject({
          code: 'PORT_CONFLICT',
          details: { service: 'web', port, pid: stranger.pid },
        });
        expect(strategy, plan).toBe('fail');
      }
      const how = `${moment}: ${stranger.took ? (passed ? 'elsewhere' : 'PORT_CONFLICT') : 'its own port'}`;
      tally[how] = (tally[how] ?? 0) + 1;
      await stranger.leave();
      await project.argus('clean');
    }
    console.info(`strangers on the ports of ${what}: ${JSON.stringify(tally)}`);
  });
}

/** Each moment in turn, the rest by chance. */
function visitOf(round: number, chance: () => number): Visit {
  return {
    moment: (['before', 'while', 'after'] as const)[round % 3] ?? 'while',
    manner: chance() < 0.5 ? 'http' : 'mute',
    strategy: chance() < 0.5 ? 'auto' : 'fail',
  };
}

/** Has him come: at once, unless it is while a run goes on that begins now. */
async function visiting(
  { moment, manner }: Visit,
  port: number,
  delayMs: number,
): Promise<{ readonly stranger: Promise<Stranger> }> {
  if (moment === 'while') return { stranger: wait(delayMs).then(() => strangerOn(port, manner)) };
  return { stranger: Promise.resolve(await strangerOn(port, manner)) };
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
