import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeWorld } from '../environment/fixtures/environment-kernel.js';
import { service } from '../environment/fixtures/service.js';
import type { Runtime, ServiceState } from '../environment/runtime.js';
import { Guarded } from './guarded.js';
import { failureSeenIn } from './watch/next-failure.js';
import { Reach } from './watch/reach.js';

/** One start of a service and what became of it; times in milliseconds before its end. */
interface Life {
  readonly exitCode: number;
  /** When one of its processes was killed for its memory. */
  readonly oom: number | null;
  /** When somebody had the engine kill it. */
  readonly kill: number | null;
  /** The news of the memory comes after that of the end. */
  readonly isLate: boolean;
  /** Somebody looks at it while it runs. */
  readonly isSeen: boolean;
}

const life: fc.Arbitrary<Life> = fc.record({
  exitCode: fc.constantFrom(0, 1, 3, 137, 143),
  oom: fc.option(fc.constantFrom(0, 20, 4_900, 5_100, 60_000)),
  kill: fc.option(fc.constantFrom(1, 10, 4_800, 70_000)),
  isLate: fc.boolean(),
  isSeen: fc.boolean(),
});

const lastsMs = 100_000;

/** An engine that never takes back that memory ran out, and perhaps does not know when it was. */
function play(lives: readonly Life[], { knowsWhen }: { knowsWhen: boolean }): string[] {
  const { clock, signal, ...world } = makeWorld();
  const runtime: Runtime = world.runtime;
  const note = { runtime: 'model', ports: [], spec: 's', startedAt: 0 };
  const reach = new Reach(clock, async () => undefined, signal);
  const guarded = new Guarded({ service: service('api'), note, isCurrent: true }, runtime, reach);
  let oomKilled = false;
  return lives.map((one, index) => {
    const startedAt = index * (lastsMs + 1_000);
    const endedAt = startedAt + lastsMs;
    const state = { service: 'api', startedAt, memory: { limit: 1_000 } };
    if (index > 0) guarded.restarted(startedAt);
    if (one.isSeen) guarded.see({ ...state, status: 'running', oomKilled });
    const oomAt = one.oom === null ? undefined : endedAt - one.oom;
    const told = [
      ...(oomAt === undefined ? [] : [{ type: 'oom' as const, at: oomAt }]),
      ...(one.kill === null ? [] : [{ type: 'killed' as const, at: endedAt - one.kill }]),
    ].toSorted((first, second) => first.at - second.at);
    const exited = { service: 'api', type: 'exited' as const, at: endedAt, exitCode: one.exitCode };
    if (one.isLate) guarded.hear(exited, endedAt);
    for (const event of told) guarded.hear({ service: 'api', ...event }, event.at);
    if (!one.isLate) guarded.hear(exited, endedAt);
    // However it ended, what was told is not enough where memory is limited.
    expect(guarded.toldState()).toBeUndefined();
    oomKilled ||= oomAt !== undefined;
    const isTrue = isOutOfMemory(one);
    const seen: ServiceState = {
      ...state,
      status: 'exited',
      exitCode: one.exitCode,
      endedAt,
      oomKilled: knowsWhen && oomAt !== undefined ? isTrue : oomKilled,
      ...(knowsWhen && isTrue && oomAt !== undefined ? { oomAt } : {}),
    };
    guarded.see(seen);
    return failureSeenIn(guarded, seen)?.kind ?? 'none';
  });
}

/** What is meant by it: memory ran out in this start, shortly before the end, and nobody killed it after that. */
function isOutOfMemory({ oom, kill }: Life): boolean {
  return oom !== null && oom <= 5_000 && !(kill !== null && kill < oom);
}

it('an end is a lack of memory when that ran out shortly before in the same start, whatever ended before', () => {
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: 6 }), (lives) => {
      const expected = lives.map((one) => (isOutOfMemory(one) ? 'oom' : 'crash'));
      expect(play(lives, { knowsWhen: true })).toEqual(expected);
    }),
  );
});

it('an end is so too by what is told alone, from the first restart on', () => {
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: 6 }), (lives) => {
      // Only with the first lack of memory the word of the engine is new, which is all that there is to go by.
      const first = lives.findIndex(({ oom }) => oom !== null);
      const expected = lives.map((one, index) => (index === first || isOutOfMemory(one) ? 'oom' : 'crash'));
      expect(play(lives, { knowsWhen: false })).toEqual(expected);
    }),
  );
});
