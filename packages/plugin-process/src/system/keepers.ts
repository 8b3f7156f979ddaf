import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@argusai/core';
import type { Wish } from '../programs/keeper.mjs';
import { type KeeperState, readState } from '../programs/keeper-state.mjs';
import { isStopped } from '../programs/process-table.mjs';
import { lives } from '../records/sighting.js';
import { askKeeper, NoKeeper } from './ask-keeper.js';
import { launchKeeper, type NewKeeper } from './launch-keeper.js';

/** What a keeper is told to start. */
export type Launch = NonNullable<Wish['launch']>;

const socketName = /^keeper-(\d+)-.+\.sock$/;
const attempts = 10;
const launchTimeoutMs = 20_000;
const stopTimeoutMs = 1_000;

/** The keepers of runs: one for all commands of a run, as long as it lives. */
export class Keepers {
  readonly #clock: Clock;
  /** Those that are being started, by the folder of the run, with how many wait for it. */
  readonly #beginning = new Map<string, { readonly keeper: Promise<NewKeeper>; waiting: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has a command started and kept, by the keeper of its run or, where there is none, by a new one. */
  async start(dir: string, launch: Launch, signal: AbortSignal): Promise<KeeperState> {
    const runDir = dirname(dir);
    const asking = { clock: this.#clock, timeoutMs: launchTimeoutMs, signal };
    const ask = (socket: string) => askKeeper(runDir, socket, { dir, launch }, asking);
    for (let attempt = 1; ; attempt += 1) {
      const [socket] = await listeningIn(runDir);
      try {
        return await (socket === undefined ? this.#withNew(runDir, ask) : ask(socket));
      } catch (error) {
        // It has just lost the last that it kept, or it was killed and has left its socket.
        if (!(error instanceof NoKeeper) || attempt === attempts) throw error;
        if (socket !== undefined) await rm(join(runDir, socket), { force: true });
      }
    }
  }

  /** Has the keeper of a command that has ended start it again. */
  startAgain(dir: string, { keeper }: KeeperState, signal: AbortSignal): Promise<KeeperState> {
    const asking = { clock: this.#clock, timeoutMs: launchTimeoutMs, signal };
    return askKeeper(dirname(dir), keeper.socket, { dir }, asking);
  }

  /** Has the keeper of a command stop it; tells whether it has heard. */
  async stop(dir: string, { keeper }: KeeperState, signal: 'SIGTERM' | 'SIGKILL'): Promise<boolean> {
    try {
      const asking = { clock: this.#clock, timeoutMs: stopTimeoutMs };
      await askKeeper(dirname(dir), keeper.socket, { dir, signal }, asking);
      return true;
    } catch {
      // It is gone, or hangs: whoever asks does it himself.
      return false;
    }
  }

  async #withNew<Result>(runDir: string, use: (socket: string) => Promise<Result>): Promise<Result> {
    const begun = this.#beginning.get(runDir) ?? { keeper: launchKeeper(runDir, this.#clock), waiting: 0 };
    this.#beginning.set(runDir, begun);
    begun.waiting += 1;
    try {
      return await use((await begun.keeper).socket);
    } finally {
      begun.waiting -= 1;
      if (begun.waiting === 0) {
        this.#beginning.delete(runDir);
        await begun.keeper.then(
          ({ letGo }) => letGo(),
          () => undefined,
        );
      }
    }
  }
}

/** The sockets of keepers in the folder of a run, without those that were stopped. */
async function listeningIn(runDir: string): Promise<string[]> {
  const names = await readdir(runDir).catch(() => []);
  return names.filter((name) => {
    const pid = socketName.exec(name)?.[1];
    return pid !== undefined && !isStopped(Number(pid));
  });
}

/**
 * Whether a keeper has other commands that run. One that hangs is ended only when it has none: it may go on, and they with it.
 */
export async function keepsOthers(dir: string, { keeper }: KeeperState): Promise<boolean> {
  const runDir = dirname(dir);
  const names = await readdir(runDir).catch(() => []);
  const states = names
    .map((name) => join(runDir, name))
    .filter((other) => other !== dir)
    .map(stateIn);
  const own = states.filter((state) => state?.keeper.socket === keeper.socket && !state.released);
  return (await Promise.all(own.map((state) => lives(state?.child)))).includes(true);
}

function stateIn(dir: string): KeeperState | undefined {
  try {
    return readState(dir);
  } catch {
    // It is the folder of no service, or goes away just now.
    return undefined;
  }
}
