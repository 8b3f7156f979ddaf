import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { ownIdentity } from '../../environment/processes/process-identity.js';
import { asItIs } from '../../environment/runs/interrupted.js';
import { livenessOfRecord } from '../../environment/runs/judge-resource.js';
import type { RunGuardian, RunRecord } from '../../environment/runs/run-record.js';
import { changeRun, readRun, runsNamespace } from '../../environment/runs/runs.js';
import type { Kernel } from '../../kernel/kernel.js';
import { canonicalJson } from '../../model/canonical-json.js';
import type { Json } from '../../model/json.js';
import { firstOf } from '../../time/first-of.js';
import { pause } from '../../time/pause.js';
import { News } from '../watch/news.js';
import { successionOf } from './succession.js';

/** How often the record is looked at although nobody says that it has changed: a death is told by nobody. */
const pollMs = 1_000;

/** What a guardian is like. */
export interface PostOptions {
  /** A process that does nothing else. */
  readonly background: boolean;
  /** It makes room for one that relieves it although it is no process of its own. */
  readonly yields?: boolean;
  /** It knows when a restart disturbs, so a background guardian makes room for it. */
  readonly relieves: boolean;
}

/** The post of a run's guardian: one at a time, by the run's record. */
export class Post {
  readonly #kernel: Kernel;
  readonly #runId: string;
  readonly #options: PostOptions;
  /** Tells guardians of one process apart. */
  readonly id = randomUUID();
  readonly #news = new News();
  #me: Promise<RunGuardian> | undefined;
  #told = '';

  constructor(kernel: Kernel, runId: string, options: PostOptions) {
    this.#kernel = kernel;
    this.#runId = runId;
    this.#options = options;
  }

  /** Hears of changes of the record until the signal aborts. */
  async listen(signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of this.#kernel.store.watch(runsNamespace, signal)) this.#news.tell();
    } catch {
      // Then only the regular looks tell.
    }
  }

  /** Takes the post as soon as it is free and the run is up. Nothing when the run is over or the signal aborts. */
  async take(signal: AbortSignal): Promise<RunRecord | undefined> {
    const { store, clock } = this.#kernel;
    this.#me ??= this.#introduce();
    const me = await this.#me;
    const lookUp = ownerLookup(hostname());
    while (!signal.aborted) {
      const document = await store.get(runsNamespace, this.#runId);
      if (!document) return undefined;
      const run = await asItIs(document.value as unknown as RunRecord, lookUp);
      if (run.state === 'stopping') return undefined;
      if (!(await livenessOfRecord(run, clock.now(), lookUp)).alive) return undefined;
      if (run.state === 'up') {
        const { guardian, isMine } = await successionOf(run.guardian, me, this.#options.relieves, lookUp);
        const next = guardian === run.guardian ? run : { ...run, guardian };
        const isStored = next === run || (await this.#put(next, document.revision));
        if (isStored && isMine) return next;
        if (!isStored) continue;
      } else if (run.guardian?.id === me.id && !run.guardian.rests) {
        // Whoever works on the run waits for this word, or ends this process.
        await this.#put({ ...run, guardian: { ...run.guardian, rests: true } }, document.revision);
        continue;
      }
      this.#tellWaiting(run);
      await this.#change(signal);
    }
    return undefined;
  }

  /** Resolves when the post is no longer this guardian's, the run is not up, or it has other services than it had. */
  async untilLost(run: RunRecord, signal: AbortSignal): Promise<void> {
    const services = canonicalJson(run.services);
    for (;;) {
      await this.#change(signal);
      if (signal.aborted) return;
      try {
        const now = await this.#record();
        if (!now || !this.#isHeld(now) || now.guardian?.relief !== undefined) return;
        if (canonicalJson(now.services) !== services) return;
      } catch {
        // A store that does not answer now may do so the next time; it does not say that the post is lost.
      }
    }
  }

  /** Whether this guardian may act at this very moment. */
  async isHeld(): Promise<boolean> {
    const run = await this.#record();
    return run !== undefined && this.#isHeld(run);
  }

  /** Whether the run is gone, or is being taken down. */
  async isOver(): Promise<boolean> {
    const run = await this.#record();
    return run === undefined || run.state === 'stopping';
  }

  /** Keeps the run alive for another lease. */
  async renewLease(): Promise<void> {
    const { store, clock, config } = this.#kernel;
    const leaseUntil = clock.now() + config.environment.lease;
    await changeRun(store, this.#runId, (run) => (this.#isHeld(run) ? { ...run, leaseUntil } : run));
  }

  /** Leaves the post to whoever had it before, or to nobody. */
  async leave(): Promise<void> {
    try {
      await changeRun(this.#kernel.store, this.#runId, (run) => this.#without(run));
    } catch {
      // The process ends, and everybody can see that.
    }
  }

  #without(run: RunRecord): RunRecord {
    const { guardian, ...rest } = run;
    if (!guardian) return run;
    if (guardian.id === this.id) return guardian.after ? { ...rest, guardian: guardian.after } : rest;
    const { relief, after, ...stays } = guardian;
    return {
      ...rest,
      guardian: {
        ...stays,
        ...(relief && relief.id !== this.id ? { relief } : {}),
        ...(after && after.id !== this.id ? { after } : {}),
      },
    };
  }

  #isHeld({ state, guardian }: RunRecord): boolean {
    return state === 'up' && guardian?.id === this.id;
  }

  async #record(): Promise<RunRecord | undefined> {
    return readRun(this.#kernel.store, this.#runId);
  }

  async #put(run: RunRecord, ifRevision: number): Promise<boolean> {
    const value = run as unknown as Json;
    return (await this.#kernel.store.put(runsNamespace, this.#runId, value, { ifRevision })).stored;
  }

  async #introduce(): Promise<RunGuardian> {
    const { background, yields } = this.#options;
    const { clock } = this.#kernel;
    const fitness = this.#kernel.fitness();
    const me = { ...(await ownIdentity()), id: this.id, since: clock.now(), background, fitness };
    return yields ? { ...me, yields } : me;
  }

  async #change(signal: AbortSignal): Promise<void> {
    try {
      await firstOf(
        signal,
        (both) => this.#news.next(both),
        (both) => pause(this.#kernel.clock, pollMs, both),
      );
    } catch {
      // Aborted: the caller sees that.
    }
  }

  #tellWaiting({ state, guardian }: RunRecord): void {
    const message =
      state === 'up' ? `process ${guardian?.pid} on ${guardian?.host} guards it` : 'it is being set up';
    if (message === this.#told) return;
    this.#told = message;
    this.#kernel.events.emit('guard_state', { runId: this.#runId, state: 'waiting', message });
  }
}
