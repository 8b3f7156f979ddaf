import { endLeftFaults } from '../environment/runs/run-faults.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import type { Kernel } from '../kernel/kernel.js';
import { pause } from '../time/pause.js';
import { guardService } from './guard-service.js';
import type { Guarded } from './guarded.js';
import type { GuardReport } from './incidents/incident.js';
import { incidentsOf, markIncidents } from './incidents/incidents.js';
import { interruptOpen } from './incidents/interrupt-open.js';
import { forgetSigns, giveSigns } from './posts/heartbeat.js';
import { Post } from './posts/post.js';
import type { SuiteBoundaries } from './restart/suite-boundaries.js';
import type { Unrest } from './restart/unrest.js';
import { followRuntime } from './watch/follow-runtime.js';
import { watchOf } from './watch-of.js';

/** How a run is guarded. */
export interface GuardOptions {
  readonly signal: AbortSignal;
  /** Says when a restart would disturb a test suite; a background guardian makes room for whoever knows that. */
  readonly suites?: SuiteBoundaries | undefined;
  /** Is told which services are guarded, so that somebody can wait for what is being done about them. */
  readonly unrest?: Unrest | undefined;
  /** This process does nothing else, so whoever ends or replaces the run may end it. */
  readonly background?: boolean;
  /** This process does other work too, but makes room for whoever knows when a restart would disturb. */
  readonly yields?: boolean;
}

/**
 * Guards the services of a run until the signal aborts or the run is over. While somebody else guards it, or it is being set
 * up, it waits. The report tells of every incident since then, whoever has dealt with it.
 */
export async function guardRun(
  kernel: Kernel,
  runId: string,
  { signal, suites, unrest, background = false, yields = false }: GuardOptions,
): Promise<GuardReport> {
  const mark = await markIncidents(kernel);
  const post = new Post(kernel, runId, { background, yields, relieves: suites !== undefined });
  const stop = new AbortController();
  const listening = post.listen(AbortSignal.any([signal, stop.signal]));
  const tell = (state: 'guarding' | 'ended', message: string) =>
    kernel.events.emit('guard_state', { runId, state, message });
  try {
    for (let run = await post.take(signal); run; run = await post.take(signal)) {
      const names = Object.keys(run.services).join(', ');
      await endLeftFaults(kernel, run, signal);
      await keepWatch(kernel, run, post, { suites, unrest, signal }, () =>
        tell('guarding', `guards ${names}`),
      );
    }
  } finally {
    const isHeld = await post.isHeld().catch(() => false);
    if (isHeld) await interruptOpen(kernel, runId);
    // Whoever took the run down has forgotten them too, but a last one may have come after that.
    if (isHeld || (await post.isOver().catch(() => false)))
      await forgetSigns(kernel.store, runId).catch(() => undefined);
    await post.leave();
    stop.abort();
    await listening;
    tell('ended', signal.aborted ? 'was told to end' : 'the run is over');
  }
  return { incidents: await incidentsOf(kernel, runId, mark) };
}

/** Guards while the run is up, has the services that it has, and the post is held. Tells when nothing goes unseen any more. */
async function keepWatch(
  kernel: Kernel,
  run: RunRecord,
  post: Post,
  { suites, unrest, signal }: GuardOptions,
  stands: () => void,
): Promise<void> {
  const over = new AbortController();
  const session = AbortSignal.any([signal, over.signal]);
  const watch = await watchOf(kernel, run, post, suites, session);
  unrest?.begin(watch);
  const runtimes = new Map(watch.guarded.map(({ runtime, reach }) => [runtime, reach]));
  // Each has a signal of its own, because many that listen to one look to Node like a leak.
  const works = Promise.all([
    ...[...runtimes].map(([runtime, reach]) => {
      const own = watch.guarded.filter((guarded) => guarded.runtime === runtime);
      const follower = {
        hear: (event: Parameters<Guarded['hear']>[0]) =>
          own.find(({ name }) => name === event.service)?.hear(event, kernel.clock.monotonic()),
        lookAround: () => {
          for (const guarded of own) guarded.news.tell();
        },
      };
      return followRuntime(kernel.clock, runtime, run, follower, reach, session);
    }),
    ...watch.guarded.map((guarded) => guardService(watch, guarded, session)),
    renew(kernel, post, session),
    giveSigns(kernel, run.id, post.id, session),
  ]);
  stands();
  try {
    // A part of it that broke must not leave the others to guard by halves.
    await Promise.race([post.untilLost(run, session), works]);
  } finally {
    unrest?.end();
    over.abort(new Error('the watch is over'));
    await works;
  }
}

/** Keeps the run alive: somebody watches it, so nobody must take it for left behind. */
async function renew({ clock, config }: Kernel, post: Post, signal: AbortSignal): Promise<void> {
  const everyMs = Math.max(1_000, config.environment.lease / 4);
  while (!signal.aborted) {
    try {
      await post.renewLease();
    } catch {
      // The store may answer the next time, and the lease lasts longer than that.
    }
    await pause(clock, everyMs, signal).catch(() => undefined);
  }
}
