import type { Clock, RunIdentity } from '@argusai/core';
import { acquaintanceOf } from './acquaintance.js';
import { type Explored, explore } from './explore.js';
import { lookouts } from './lookout.js';
import type { Path } from './path.js';
import type { Survey } from './survey.js';
import type { VerifyParts } from './verify-parts.js';

/** How many places are looked from at once: each costs a process or two. */
const atOnce = 4;

/** What exploring an environment needs besides the rest. */
export interface ExploreContext {
  readonly run: RunIdentity;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long to wait for what must answer, in milliseconds. */
  readonly patienceMs: number;
  /** Told of every path when it is settled. */
  readonly onExplored: (explored: Explored) => void;
}

/** Tries every path, those from one place together. In the order of the paths. */
export async function exploreAll(
  parts: VerifyParts,
  survey: Survey,
  paths: readonly Path[],
  { run, clock, signal, patienceMs, onExplored }: ExploreContext,
): Promise<Explored[]> {
  const lookoutOf = lookouts(parts, survey, { run, clock });
  const acquaintance = (path: Path) => acquaintanceOf(path, survey);
  const sources = [...new Set(paths.map(({ from }) => from))];
  const found = new Map<Path, Explored>();
  const waiting = [...sources];
  const work = async () => {
    for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
      const own = paths.filter((path) => path.from === from);
      // A signal of its own: many that listen to one look to Node like a leak.
      const exploring = { clock, patienceMs, acquaintance, signal: AbortSignal.any([signal]) };
      for (const one of await explore(own, lookoutOf(from), exploring)) {
        found.set(one.path, one);
        onExplored(one);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  return paths.flatMap((path) => found.get(path) ?? []);
}
