import { type Clock, isArgusError, pause } from '@argusai/core';
import { combined, isFine, type Probe, type Seen } from '../probes/probe.js';
import { type Acquaintance, judge, patienceFor, type Verdict } from './judge.js';
import type { Path } from './path.js';

/** A place to look from: the ways to do it, the best first. */
export interface Lookout {
  readonly probes: readonly { readonly name: string; readonly probe: Probe }[];
}

/** What was found out about a path. */
export interface Explored {
  readonly path: Path;
  readonly verdict: Verdict;
  readonly seen: Seen | undefined;
  /** How it was looked at last. */
  readonly via: string | null;
}

/** What exploring needs. */
export interface ExploreParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long a port on which something must listen may refuse, in milliseconds. */
  readonly patienceMs: number;
  readonly acquaintance: (path: Path) => Acquaintance;
}

const pauseMs = 150;

/** Tries all paths that begin at one place, and those that fail again for as long as that is worth while. */
export async function explore(
  paths: readonly Path[],
  { probes }: Lookout,
  parts: ExploreParts,
): Promise<Explored[]> {
  const { clock, signal, patienceMs, acquaintance } = parts;
  const begun = clock.monotonic();
  const judged = (path: Path, seen: Seen | undefined, via: string | null): Explored => ({
    path,
    seen,
    via,
    verdict: judge(path, seen, acquaintance(path)),
  });
  let results = await look(paths, probes, judged, signal);
  for (;;) {
    const waited = clock.monotonic() - begun;
    const again = results.filter(({ verdict }) => waited < patienceFor(verdict, patienceMs));
    if (again.length === 0) return results;
    await pause(clock, pauseMs, signal);
    const fresh = await look(
      again.map(({ path }) => path),
      probes,
      judged,
      signal,
    );
    results = results.map((old) => fresh.find(({ path }) => path === old.path) ?? old);
  }
}

/** One look at each path; a second one in another way at those that do not look well in the first. */
async function look(
  paths: readonly Path[],
  probes: Lookout['probes'],
  judged: (path: Path, seen: Seen | undefined, via: string | null) => Explored,
  signal: AbortSignal,
): Promise<Explored[]> {
  const seen = new Map<Path, { readonly seen: Seen; readonly via: string }>();
  for (const { name, probe } of probes) {
    const open = paths.filter((path) => {
      const one = seen.get(path)?.seen;
      return one === undefined || !isSettled(path, one);
    });
    if (open.length === 0) break;
    const attempts = open.map(({ host, ports, relayed = false }) => ({
      host,
      ports: ports.map(({ port }) => port),
      relayed,
    }));
    const found = (await attempted(probe(attempts, signal), signal)) ?? [];
    for (const [index, one] of found.entries()) {
      const path = open[index];
      if (path === undefined) continue;
      const before = seen.get(path);
      seen.set(path, before ? { seen: combined(before.seen, one), via: name } : { seen: one, via: name });
    }
  }
  return paths.map((path) => judged(path, seen.get(path)?.seen, seen.get(path)?.via ?? null));
}

/** Nothing more is to be learned: all is well, or its name was found and a port of which nothing is known refuses. */
function isSettled({ ports }: Path, seen: Seen): boolean {
  if (isFine(seen)) return true;
  const isClear = ({ port, status }: Seen['ports'][number]) =>
    status === 'open' || (status === 'refused' && !ports.find((one) => one.port === port)?.promised);
  return seen.name.status === 'resolved' && seen.ports.every(isClear);
}

/** A probe that breaks has seen nothing; why, the check of the daemon or the guardian will say. */
async function attempted<Found>(probing: Promise<Found>, signal: AbortSignal): Promise<Found | undefined> {
  try {
    return await probing;
  } catch (thrown) {
    signal.throwIfAborted();
    if (isArgusError(thrown)) return undefined;
    throw thrown;
  }
}
