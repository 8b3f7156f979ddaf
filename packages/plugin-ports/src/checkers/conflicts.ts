import { defineChecker, type PluginContext, type PortKey, portConflict, portKey } from '@argusai/core';
import {
  askedFor,
  type Conflict,
  conflictDetails,
  curing,
  describeConflicts,
  notMoved,
} from '../conflict.js';
import { findConflicts, nameHolders } from '../find-conflicts.js';
import { LeaseBook } from '../lease/lease-book.js';
import { leftBehind } from '../left-behind.js';
import { otherPorts } from '../other-ports.js';
import { ownHolders } from '../own-holders.js';
import { type OwnPort, ownPorts } from '../own-ports.js';
import { describeProspect, type Prospect, prospectOf, speltOutAt } from '../prospect.js';
import { Sockets } from '../system/sockets.js';
import { configuredPorts, configuredWishes, type Wish } from '../wish.js';

/** Who reports what dead runs have left behind. */
const orphansChecks = ['orphans.processes', 'orphans.docker'];

/** Who reports that the engine is down, behind which nobody sees whether containers hold their ports. */
const engine = { runtime: 'docker', check: 'docker.daemon' };

const leftByRun = ', which a run that is over left behind';

/** Where the checker looks. */
export type Scope = Pick<PluginContext, 'project' | 'config' | 'store' | 'runtimes' | 'clock'>;

/** Makes `ports.conflicts`: nobody else holds the ports that the configuration asks for. */
export function conflictsChecker(scope: Scope) {
  const { project, config, store } = scope;
  const strategy = config.resilience.network.portConflictStrategy;
  const isAuto = strategy === 'auto';
  return defineChecker({
    name: 'ports.conflicts',
    description: 'Ports that the services ask for and something else holds',
    codes: [portConflict],
    follows: [...orphansChecks, engine.check],
    async check({ pass, warn, fail, skip, unknown, clock, signal }) {
      signal.throwIfAborted();
      const wishes = configuredWishes(config);
      if (wishes.length === 0) return skip('no service or mock asks for a port of this machine');
      const book = await LeaseBook.open(store, () => clock.now());
      const runs = await book.liveRuns(project.name, project.dir);
      const asked = { wishes, ports: configuredPorts(config), mayMove: isAuto };
      const own = await ownPorts(asked, runs, scope, signal);
      for (const wish of await movedInVain(own, config)) own.delete(wish);
      const world = {
        book,
        signal,
        refused: [],
        sockets: new Sockets(wishes.map(({ protocol }) => protocol)),
        isOwn: ({ runId }: { runId: string }) => runs.some(({ id }) => id === runId),
        occupied: [...own].map(([wish, { port }]) => ({ ...wish, port })),
      };
      const open = wishes.filter((wish) => !own.has(wish));
      const found = await findConflicts(open, world);
      const instead = await otherPorts(found, open, world);
      const named = await nameHolders(
        found.filter(({ wish }) => !instead.has(wish)),
        world,
      );
      const held = await ownHolders(named, runs);
      for (const [{ wish }, pid] of held) own.set(wish, { port: wish.port, service: { pid } });
      const conflicts = named.filter((conflict) => !held.has(conflict));
      const orphans = await leftBehind(conflicts, scope, signal);
      const prospects = await foresee(isAuto ? conflicts : [], config);
      return [...groupByPort(wishes)].map(([key, asking]) => {
        const target = `port:${key.split('/').toReversed().join('/')}`;
        const here = conflicts.filter(({ wish }) => asking.includes(wish));
        const first = worstOf(here, prospects);
        if (first === undefined) {
          const unseen = asking.flatMap((wish) => unseenOf(own.get(wish)) ?? []);
          const said = describeAll(key, asking, own, instead);
          if (unseen.length === 0) return pass(said, { target });
          const isEngine = unseen.every(({ runtime }) => runtime === engine.runtime);
          return unknown(said, { target, ...(isEngine ? { causedBy: { check: engine.check } } : {}) });
        }
        const left = orphans.get(first);
        const orphan = left?.target;
        const isFreed = left !== undefined && config.resilience.preflight.cleanOrphans;
        const prospect = prospects.get(first);
        const isSpeltOut = prospect === 'refused' && !isFreed;
        const outcome = isFreed
          ? '; a setup removes it first'
          : prospect && `; ${describeProspect(prospect, first.wish.service)}`;
        const message = `${describeConflicts(here)}${left ? leftByRun : ''}${outcome ?? ''}`;
        const place = isSpeltOut ? speltOutAt(first.wish, config) : undefined;
        const cured =
          place === undefined
            ? askedFor(first.wish, config)
            : { reason: 'spelt-out' as const, where: { key: place } };
        const details = {
          ...conflictDetails(first),
          ...(orphan === undefined ? {} : { orphan }),
          ...curing(first, isAuto || isFreed ? cured : notMoved()),
        };
        // What a setup removes first is one problem and not two; where it does not, a port that is refused is one of its own.
        const mayMove = isAuto && !isSpeltOut;
        const cause = left !== undefined && (mayMove || isFreed) ? { causedBy: left } : {};
        return (mayMove ? warn : fail)(portConflict, { target, message, details, ...cause });
      });
    },
  });
}

function groupByPort(wishes: readonly Wish[]): Map<PortKey, Wish[]> {
  const groups = new Map<PortKey, Wish[]>();
  for (const wish of wishes) groups.set(portKey(wish), [...(groups.get(portKey(wish)) ?? []), wish]);
  return groups;
}

function unseenOf(own: OwnPort | undefined) {
  return typeof own?.service === 'object' && 'unseen' in own.service ? own.service : undefined;
}

function describeAll(
  key: PortKey,
  asking: readonly Wish[],
  own: ReadonlyMap<Wish, OwnPort>,
  instead: ReadonlyMap<Wish, number>,
): string {
  const each = asking.map((wish) => {
    const other = instead.get(wish);
    if (other !== undefined) return `taken, but ${other} of the range is free for ${wish.service}`;
    const has = own.get(wish);
    return has ? describeOwn(wish, has) : `free for ${wish.service}`;
  });
  return `${key.replace('/', ' port ')}: ${each.join(', ')}`;
}

function describeOwn({ service: name, port: wished }: Wish, { port, service, from }: OwnPort): string {
  const holder = from ?? name;
  if (typeof service === 'object') {
    return 'pid' in service
      ? `in use by ${name} as process ${service.pid}`
      : `given to ${holder}, which could not be looked at: ${service.unseen}`;
  }
  if (service === 'starting') return `kept for ${holder}, which is being started or stopped`;
  if (from !== undefined)
    return `in use by ${from} as it runs now; a setup stops that first and gives it to ${name}`;
  return port === wished ? `in use by ${name}, which runs` : `${name} runs on ${port} instead`;
}

/** Wishes of services that were moved before a container spelt out the port that they did not get. */
async function movedInVain(own: ReadonlyMap<Wish, OwnPort>, config: Scope['config']): Promise<Wish[]> {
  const moved = [...own].filter(([wish, { port, service }]) => service === 'running' && port !== wish.port);
  const conflicts = moved.map(([wish]): Conflict => ({ wish, cause: { kind: 'held' } }));
  const prospects = await foresee(conflicts, config);
  return conflicts.filter((conflict) => prospects.get(conflict) === 'refused').map(({ wish }) => wish);
}

/** What a setup that may move ports does about each conflict. */
async function foresee(
  conflicts: readonly Conflict[],
  config: Scope['config'],
): Promise<ReadonlyMap<Conflict, Prospect>> {
  const prospects = new Map<Conflict, Prospect>();
  for (const conflict of conflicts) prospects.set(conflict, await prospectOf(conflict, config));
  return prospects;
}

/** The conflict that decides what becomes of a port which several may have asked for. */
function worstOf(
  conflicts: readonly Conflict[],
  prospects: ReadonlyMap<Conflict, Prospect>,
): Conflict | undefined {
  const is = (prospect: Prospect) => conflicts.find((conflict) => prospects.get(conflict) === prospect);
  return is('refused') ?? is('doubtful') ?? conflicts[0];
}
