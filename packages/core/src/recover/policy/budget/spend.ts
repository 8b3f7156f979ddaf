import type { BudgetLimit } from '../settings.js';

/** When each target was repaired, in milliseconds since the epoch, oldest first: the document in the store. */
export type Takes = { [target: string]: number[] };

/** What came of asking for one more repair. */
export interface SpendingAnswer {
  readonly granted: boolean;
  /** The repairs of the target that count now, with this one if it was granted. */
  readonly used: number;
  /** In how many milliseconds the next one is granted, where this one was not; missing where none ever is. */
  readonly freeIn?: number | undefined;
}

/** The same, with what follows from it. */
export interface Spending extends SpendingAnswer {
  /** What is to be remembered; the very object that was given when there is nothing new. */
  readonly takes: Takes;
}

// Longer than most windows, so that one that is made longer in the configuration finds what it must count.
const rememberedMs = 86_400_000;

/**
 * Asks for one more repair of a target. A repair counts from its own moment until, but not including, the moment
 * one window later. One that lies in the future was made before the clock went back: it counts as made just now,
 * and is remembered so, because then it neither frees anything early nor blocks for longer than a window. (A clock
 * that jumps forward cannot be told from time that passed.)
 */
export function spend(takes: Takes, target: string, now: number, limit: BudgetLimit): Spending {
  const { answers, takes: left } = spendAll(takes, [target], now, limit);
  return { ...(answers[0] ?? { granted: false, used: 0 }), takes: left };
}

/** The same for many targets at the same moment, one after the other. */
export function spendAll(
  takes: Takes,
  targets: readonly string[],
  now: number,
  { max, per }: BudgetLimit,
): { readonly answers: SpendingAnswer[]; readonly takes: Takes } {
  const clockWentBack = Object.values(takes).some((times) => times.some((at) => at > now));
  const known = clockWentBack ? mapTimes(takes, (times) => times.map((at) => Math.min(at, now))) : takes;
  const spent = new Map(Object.entries(known));
  const answers = targets.map((target): SpendingAnswer => {
    const own = spent.get(target) ?? [];
    const counting = own.filter((at) => now - at < per);
    const used = counting.length;
    if (used >= max) return { granted: false, used, freeIn: freeIn(counting[used - max], now, per) };
    // Only the newest `max` can ever fill a window, so no more are kept.
    spent.set(target, [...own, now].slice(-max));
    return { granted: true, used: used + 1 };
  });
  if (!answers.some(({ granted }) => granted)) return { answers, takes: known };
  const keptMs = Math.max(per, rememberedMs);
  const left = mapTimes(Object.fromEntries(spent), (times) => times.filter((at) => now - at < keptMs));
  return { answers, takes: left };
}

/** How long it takes until this repair leaves the window. */
function freeIn(at: number | undefined, now: number, per: number): number | undefined {
  return at === undefined ? undefined : at + per - now;
}

function mapTimes(takes: Takes, change: (times: number[]) => number[]): Takes {
  const changed = Object.entries(takes).map(([target, times]) => [target, change(times)] as const);
  return Object.fromEntries(changed.filter(([, times]) => times.length > 0));
}
