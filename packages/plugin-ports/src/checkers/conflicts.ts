import { type ArgusConfig, defineChecker, type Project, portConflict, type StateStore } from '@argusai/core';
import { type Conflict, conflictDetails, describeConflicts } from '../conflict.js';
import { findConflicts, nameHolders } from '../find-conflicts.js';
import { LeaseBook } from '../lease/lease-book.js';
import { otherPorts } from '../other-ports.js';
import { type PortKey, portKey } from '../port-key.js';
import { recordedPort } from '../resolve/port-of-run.js';
import { Sockets } from '../system/sockets.js';
import { configuredWishes, type Wish } from '../wish.js';

/** Where the checker looks. */
export interface Scope {
  readonly project: Project;
  readonly config: ArgusConfig;
  readonly store: StateStore;
}

/** Makes `ports.conflicts`: nobody else holds the ports that the configuration asks for. */
export function conflictsChecker({ project, config, store }: Scope) {
  const strategy = config.resilience.network.portConflictStrategy;
  const isAuto = strategy === 'auto';
  return defineChecker({
    name: 'ports.conflicts',
    description: 'Ports that the services ask for and something else holds',
    codes: [portConflict],
    async check({ pass, warn, fail, skip, clock, signal }) {
      signal.throwIfAborted();
      const wishes = configuredWishes(config);
      if (wishes.length === 0) return skip('no service or mock asks for a port of this machine');
      const book = await LeaseBook.open(store, () => clock.now());
      const runs = await book.liveRuns(project.name, project.dir);
      const own = new Map(wishes.map((wish) => [wish, portIn(wish, runs)]));
      const world = {
        ...{ book, signal, refused: [] },
        sockets: new Sockets(wishes.map(({ protocol }) => protocol)),
        isOwn: ({ runId }: { runId: string }) => runs.some(({ id }) => id === runId),
        occupied: [...own].flatMap(([wish, port]) => (port === undefined ? [] : [{ ...wish, port }])),
      };
      const open = wishes.filter((wish) => own.get(wish) === undefined);
      const found = await findConflicts(open, world);
      const instead = await otherPorts(found, open, world);
      const conflicts = await nameHolders(
        found.filter(({ wish }) => !instead.has(wish)),
        world,
      );
      for (const [wish, port] of instead) own.set(wish, port);
      return [...groupByPort(wishes)].map(([key, asking]) => {
        const target = `port:${key.split('/').toReversed().join('/')}`;
        const [first, ...others] = conflicts.filter(({ wish }) => asking.includes(wish));
        if (first === undefined) return pass(describeAll(key, asking, own, instead), { target });
        const message = describeProblem([first, ...others], isAuto);
        return (isAuto ? warn : fail)(portConflict, { target, message, details: conflictDetails(first) });
      });
    },
  });
}

/** The port that a live run of this folder has for a wish. */
function portIn(wish: Wish, runs: Parameters<typeof recordedPort>[1][]): number | undefined {
  for (const run of runs) {
    const port = recordedPort(wish, run);
    if (port !== undefined) return port;
  }
  return undefined;
}

function groupByPort(wishes: readonly Wish[]): Map<PortKey, Wish[]> {
  const groups = new Map<PortKey, Wish[]>();
  for (const wish of wishes) groups.set(portKey(wish), [...(groups.get(portKey(wish)) ?? []), wish]);
  return groups;
}

function describeAll(
  key: PortKey,
  asking: readonly Wish[],
  own: ReadonlyMap<Wish, number | undefined>,
  instead: ReadonlyMap<Wish, number>,
): string {
  const each = asking.map((wish) => {
    const port = own.get(wish);
    if (instead.has(wish)) return `taken, but ${port} of the range is free for ${wish.service}`;
    if (port === undefined) return `free for ${wish.service}`;
    return port === wish.port
      ? `in use by ${wish.service}, which runs`
      : `${wish.service} runs on ${port} instead`;
  });
  return `${key.replace('/', ' port ')}: ${each.join(', ')}`;
}

function describeProblem(conflicts: readonly Conflict[], isAuto: boolean): string {
  const problem = describeConflicts(conflicts);
  return isAuto ? `${problem}; a setup takes another port instead` : problem;
}
