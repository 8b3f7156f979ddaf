import { CIRCUITS_NAMESPACE } from '../circuit/circuit-record.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import { runsNamespace } from '../environment/runs/runs.js';
import { usedRuntimes } from '../environment/services/runtime-of.js';
import { followRuntime } from '../guardian/watch/follow-runtime.js';
import { News } from '../guardian/watch/news.js';
import { reachOf } from '../guardian/watch/reach.js';
import type { Kernel } from '../kernel/kernel.js';
import { firstOf } from '../time/first-of.js';
import { pause } from '../time/pause.js';

/** How long nobody looks when nothing is told; a health check that fails is told by nobody. */
const intervalMs = 2_000;

/** Changes come in swarms. So long is waited for the rest of one. */
const swarmMs = 100;

/** What in the store a status is made of. */
const namespaces = [runsNamespace, 'worktrees', 'guardian', CIRCUITS_NAMESPACE];

/** What is different each time and says nothing new. */
const passing = new Set(['leaseMs', 'leaseUntil', 'sinceTransition']);

/**
 * Looks whenever the store or a runtime tells of a change, and now and then besides. Tells of the first look and of each that differs
 * from the one before, until the signal aborts; gives back the last.
 */
export async function watchStatus<Status>(
  kernel: Kernel,
  find: () => Promise<RunRecord | undefined>,
  look: () => Promise<Status>,
  tell: (status: Status) => void,
  signal: AbortSignal,
): Promise<Status> {
  const changes = new Changes(kernel, find, signal);
  let last = await look();
  let known = '';
  while (!signal.aborted) {
    const shape = JSON.stringify(last, (key, value) => (passing.has(key) ? undefined : value));
    if (shape !== known) tell(last);
    known = shape;
    await changes.follow();
    try {
      await changes.next();
      last = await look();
    } catch (thrown) {
      // Whoever ends it ends a look as well, and has seen the one before.
      if (!signal.aborted) throw thrown;
    }
  }
  return last;
}

/** Hears of everything that may have changed something. */
class Changes {
  readonly #kernel: Kernel;
  readonly #find: () => Promise<RunRecord | undefined>;
  readonly #signal: AbortSignal;
  readonly #news = new News();
  /** The run and its runtimes. */
  #followed: { readonly what: string; readonly stop: AbortController } | undefined;

  constructor(kernel: Kernel, find: () => Promise<RunRecord | undefined>, signal: AbortSignal) {
    this.#kernel = kernel;
    this.#find = find;
    this.#signal = signal;
    for (const namespace of namespaces) void this.#listen(namespace);
  }

  /** Follows what happens to the services of the run that is there now. */
  async follow(): Promise<void> {
    const { clock, runtimes } = this.#kernel;
    const run = await this.#find();
    const names = run ? [...usedRuntimes(run)].sort() : [];
    const what = [run?.id, ...names].join(' ');
    if (!run || this.#followed?.what === what) return;
    this.#followed?.stop.abort();
    const stop = new AbortController();
    this.#followed = { what, stop };
    const follower = { hear: () => this.#news.tell(), lookAround: () => this.#news.tell() };
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    for (const name of names) {
      const runtime = runtimes.get(name);
      if (runtime)
        void followRuntime(clock, runtime, run, follower, reachOf(clock, runtime, run, signal), signal);
    }
  }

  /** Resolves when it is worth looking again. Rejects when the signal aborts. */
  async next(): Promise<void> {
    const { clock } = this.#kernel;
    const isNew = await firstOf(
      this.#signal,
      (both) => this.#news.next(both).then(() => true),
      (both) => pause(clock, intervalMs, both).then(() => false),
    );
    if (isNew) await pause(clock, swarmMs, this.#signal);
    this.#news.forget();
  }

  async #listen(namespace: string): Promise<void> {
    try {
      for await (const _change of this.#kernel.store.watch(namespace, this.#signal)) this.#news.tell();
    } catch {
      // Without it, it is seen a little later.
    }
  }
}
