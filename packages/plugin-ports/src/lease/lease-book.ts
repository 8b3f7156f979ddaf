import { hostname } from 'node:os';
import {
  addressesMeet,
  asItIs,
  livenessOfRecord,
  type OwnerLookup,
  ownerLookup,
  type PortKey,
  portKey,
  type RunIdentity,
  type RunRecord,
  readRun,
  runsNamespace,
  type StateStore,
} from '@argusai/core';
import type { Place } from '../system/probe.js';
import { fromDocument, type Lease, leasesNamespace, type PortLeases, toDocument } from './lease.js';

/** How long a lease counts when nobody has a record of its run: far longer than a setup works without one. */
const withoutRecordMs = 10 * 60_000;

/** What a lease is asked for: the port, and the wish that it fulfils. */
export interface LeaseRequest extends Place {
  readonly service: string;
  readonly wished: number;
  readonly container: number;
}

/** The leases of all runs on this machine's ports, as they were when the book was opened. */
export class LeaseBook {
  readonly #store: StateStore;
  readonly #now: () => number;
  readonly #host = hostname();
  readonly #lookUp: OwnerLookup = ownerLookup(this.#host);
  readonly #pages = new Map<PortKey, PortLeases>();
  readonly #runs = new Map<string, RunRecord>();

  private constructor(store: StateStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Reads what there is. What belongs to runs that are over does not count any more. */
  static async open(store: StateStore, now: () => number): Promise<LeaseBook> {
    const book = new LeaseBook(store, now);
    const [runs, leases] = await Promise.all([store.list(runsNamespace), store.list(leasesNamespace)]);
    for (const { key, value } of runs) book.#runs.set(key, await asItIs(value as unknown as RunRecord));
    for (const document of leases) {
      const page = fromDocument(document.key as PortKey, document);
      book.#pages.set(page.key, await book.#withoutDead(page));
    }
    return book;
  }

  /** The records of a project folder's runs that go on. */
  async liveRuns(project: string, worktree: string): Promise<RunRecord[]> {
    const own = [...this.#runs.values()].filter(
      (run) => run.project === project && run.worktree === worktree,
    );
    const alive = await Promise.all(own.map((run) => livenessOfRecord(run, this.#now(), this.#lookUp)));
    return own.filter((_, index) => alive[index]?.alive);
  }

  /** The record of a run. */
  run(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  /** Every port that a run has leased. */
  leasesOf(runId: string): { readonly key: PortKey; readonly lease: Lease }[] {
    return [...this.#pages.values()].flatMap(({ key, leases }) =>
      leases.filter((lease) => lease.runId === runId).map((lease) => ({ key, lease })),
    );
  }

  /** Ports that others have leased, on whatever address. */
  keysOfOthers(runId: string): PortKey[] {
    return [...this.#pages.values()]
      .filter(({ leases }) =>
        leases.some((lease) => lease.runId !== runId && lease.owner.host === this.#host),
      )
      .map(({ key }) => key);
  }

  /** The live lease of another run that stands in the way. */
  blocking(place: Place, isOwn: (lease: Lease) => boolean): Lease | undefined {
    const leases = this.#pages.get(portKey(place))?.leases ?? [];
    return leases.find((lease) => !isOwn(lease) && this.#blocks(lease, place));
  }

  /** Leases a port for a run; gives the lease that stands in the way when there is one, however late it came. */
  async take(request: LeaseRequest, run: RunIdentity): Promise<Lease | undefined> {
    const key = portKey(request);
    const lease = this.#leaseFor(request, run);
    for (;;) {
      const { leases, ifRevision } = this.#page(key);
      const isOwn = (one: Lease) => one.runId === run.id;
      const blocking = this.blocking(request, isOwn);
      if (blocking !== undefined) return blocking;
      const others = leases.filter((one) => !(isOwn(one) && isSame(one, lease)));
      if (await this.#write(key, [...others, lease], ifRevision)) return undefined;
    }
  }

  /** Gives back what a run has leased, all of it or all but some, and clears away what dead runs left. */
  async release(runId: string, keeps: (key: PortKey, lease: Lease) => boolean = () => false): Promise<void> {
    await Promise.all(
      [...this.#pages.keys()].map(async (key) => {
        for (;;) {
          const { leases, dead, ifRevision } = this.#page(key);
          const rest = leases.filter((lease) => lease.runId !== runId || keeps(key, lease));
          if (rest.length === leases.length && dead === 0) return;
          if (await this.#write(key, rest, ifRevision)) return;
        }
      }),
    );
  }

  #page(key: PortKey): PortLeases {
    return this.#pages.get(key) ?? fromDocument(key, undefined);
  }

  /** Ports are a machine's own: another machine that shares the store has others. */
  #blocks(lease: Lease, { address }: Place): boolean {
    return lease.owner.host === this.#host && addressesMeet(lease.address, address);
  }

  #leaseFor({ service, wished, container, address }: LeaseRequest, run: RunIdentity): Lease {
    const { id: runId, project, worktree, owner } = run;
    const expiresAt = this.#now() + withoutRecordMs;
    return { runId, project, worktree, owner: { ...owner }, service, wished, container, address, expiresAt };
  }

  /** Writes a page unless someone was faster; then the page is theirs. */
  async #write(
    key: PortKey,
    leases: readonly Lease[],
    ifRevision: PortLeases['ifRevision'],
  ): Promise<boolean> {
    const result = await (leases.length === 0
      ? this.#store.delete(leasesNamespace, key, { ifRevision })
      : this.#store.put(leasesNamespace, key, toDocument(leases), { ifRevision }));
    if (!result.stored) {
      this.#pages.set(key, await this.#withoutDead(fromDocument(key, result.current)));
      return false;
    }
    if (leases.length === 0) this.#pages.delete(key);
    else this.#pages.set(key, { key, leases, dead: 0, ifRevision: result.revision });
    return true;
  }

  /** A page on which the leases of runs that are over are only counted. */
  async #withoutDead(page: PortLeases): Promise<PortLeases> {
    const alive = await Promise.all(page.leases.map((lease) => this.#isAlive(lease)));
    const leases = page.leases.filter((_, index) => alive[index]);
    return { ...page, leases, dead: page.leases.length - leases.length };
  }

  async #isAlive({ runId, owner, expiresAt }: Lease): Promise<boolean> {
    // A run that began after the book was opened has its record in the store only.
    const run = this.#runs.get(runId) ?? (await readRun(this.#store, runId));
    if (run !== undefined) return (await livenessOfRecord(run, this.#now(), this.#lookUp)).alive;
    return this.#now() < expiresAt && (await this.#lookUp(owner)) !== 'dead';
  }
}

function isSame(one: Lease, other: Lease): boolean {
  return one.service === other.service && one.container === other.container && one.address === other.address;
}
