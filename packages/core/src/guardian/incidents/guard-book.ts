import type { ArgusConfig } from '../../config/schema.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import { spend } from '../../recover/policy/budget/spend.js';
import type { StateStore } from '../../state/state-store.js';
import { updateDocument } from '../../state/update-document.js';
import type { Clock } from '../../time/clock.js';
import type { OpenIncident } from './incident.js';
import { pendingOf } from './pending-restarts.js';

const namespace = 'guardian';

/** What is remembered of a service of a run, so that another guardian goes on where this one ended. */
interface Entry {
  /** When a setup started the service: from then on everything counts anew. */
  readonly since: number;
  /** Restarts since it was last stable. */
  readonly attempts: number;
  /** All restarts since that setup. */
  readonly total: number;
  /** All repairs without a restart since that setup. */
  readonly repairs?: number;
  /** When it was restarted, as far as the storm limit needs to know; milliseconds since the epoch. */
  readonly times: readonly number[];
  /** Why, of the newest of these times. */
  readonly reasons?: readonly string[];
  /** It is restarted no more until it is stable by itself. */
  readonly isGivenUp?: true;
  readonly open?: OpenIncident;
}

const blank: Entry = { since: 0, attempts: 0, total: 0, times: [] };

/** A restart that the storm limit counts. */
export interface CountedRestart {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null where it is not known. */
  readonly reason: string | null;
}

/** The limits that a restart must keep. */
export type RestartLimits = Pick<ArgusConfig['resilience']['container'], 'maxRestarts' | 'stormLimit'>;

/** Whether one more restart may be made: then it is counted. */
export type Permission =
  | { readonly granted: true; readonly attempt: number }
  | { readonly granted: false; readonly limit: 'max-restarts' | 'storm-limit' };

/** What a run's guardians remember together: restarts and open incidents, in the store. */
export class GuardBook {
  readonly #store: StateStore;
  readonly #runId: string;
  readonly #limits: RestartLimits;
  readonly #clock: Clock;

  constructor({ store, clock }: Pick<Kernel, 'store' | 'clock'>, runId: string, limits: RestartLimits) {
    this.#store = store;
    this.#runId = runId;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** What is remembered of a service, begun afresh if a setup has started it since. Gives what was open before. */
  async open(
    service: string,
    since: number,
  ): Promise<{ attempts: number; isGivenUp: boolean; left?: OpenIncident; lost?: OpenIncident }> {
    let lost: OpenIncident | undefined;
    const entry = await this.#change(service, (before) => {
      const isSame = before.since === since;
      lost = isSame ? undefined : before.open;
      const { times, reasons = [] } = before;
      return isSame ? before : { ...blank, since, times, reasons };
    });
    const { attempts, isGivenUp = false, open: left } = entry;
    return { attempts, isGivenUp, ...(left ? { left } : {}), ...(lost ? { lost } : {}) };
  }

  /** How often it has been restarted since it was last stable. */
  async attempts(service: string): Promise<number> {
    return (await readBook(this.#store, this.#runId))[service]?.attempts ?? 0;
  }

  /** The restarts that the storm limit counts now, oldest first. */
  async counted(service: string): Promise<CountedRestart[]> {
    const { times, reasons = [] } = (await readBook(this.#store, this.#runId))[service] ?? blank;
    const unknown = times.length - reasons.length;
    const now = this.#clock.now();
    return times
      .map((at, index) => ({ at, reason: reasons[index - unknown] ?? null }))
      .filter(({ at }) => now - at < this.#limits.stormLimit.per);
  }

  /**
   * Counts one more restart, if the limits allow it, and notes with it how far the incident has come. Of two who ask for the
   * last one at the same moment, one gets it.
   */
  async take(
    service: string,
    reason: string,
    incidentAt?: (attempt: number) => OpenIncident,
  ): Promise<Permission> {
    let permission: Permission = { granted: false, limit: 'max-restarts' };
    await this.#change(service, (entry) => {
      const attempt = entry.attempts + 1;
      if (attempt > this.#limits.maxRestarts) {
        permission = { granted: false, limit: 'max-restarts' };
        return entry;
      }
      const { granted, ...spent } = this.#spend(service, reason, entry);
      permission = granted ? { granted, attempt } : { granted, limit: 'storm-limit' };
      if (!granted) return { ...entry, ...spent };
      const open = incidentAt ? { open: incidentAt(attempt) } : {};
      return { ...entry, ...spent, attempts: attempt, total: entry.total + 1, ...open };
    });
    return permission;
  }

  /** The same for a restart that answers no failure of the service itself; only the storm limit holds for it. */
  async takeAlong(service: string, reason: string, incident?: OpenIncident): Promise<boolean> {
    let isGranted = false;
    await this.#change(service, (entry) => {
      const { granted, ...spent } = this.#spend(service, reason, entry);
      isGranted = granted;
      if (!granted) return { ...entry, ...spent };
      return { ...entry, ...spent, total: entry.total + 1, ...(incident ? { open: incident } : {}) };
    });
    return isGranted;
  }

  /** Takes back a restart that could not even be tried. */
  async giveBack(service: string): Promise<void> {
    await this.#change(service, ({ attempts, total, times, reasons = [], ...entry }) => ({
      ...entry,
      times: times.slice(0, -1),
      reasons: reasons.slice(0, -1),
      attempts: Math.max(0, attempts - 1),
      total: Math.max(0, total - 1),
    }));
  }

  /** Notes how far an incident has come; without one, that there is none. */
  async note(service: string, incident: OpenIncident | undefined): Promise<void> {
    await this.#change(service, ({ open: _, ...entry }) => (incident ? { ...entry, open: incident } : entry));
  }

  /** The last attempt turned out to be a repair without a restart: it counts for the limits, and is no restart. */
  async noteRepair(service: string, incident: OpenIncident): Promise<void> {
    await this.#change(service, ({ total, repairs = 0, ...entry }) => ({
      ...entry,
      open: incident,
      total: Math.max(0, total - 1),
      repairs: repairs + 1,
    }));
  }

  /** So many restarts were begun, and nobody knows whether they were made: they count for the limits, and are told by nobody. */
  async noteUnknown(service: string, count: number): Promise<void> {
    await this.#change(service, (entry) => ({ ...entry, total: Math.max(0, entry.total - count) }));
  }

  /** The service is restarted no more: whoever guards it waits until it is stable by itself. */
  async giveUp(service: string): Promise<void> {
    await this.#change(service, ({ open: _, ...entry }) => ({ ...entry, isGivenUp: true }));
  }

  /** The service is stable: the next failure is another incident. */
  async settle(service: string): Promise<void> {
    await this.#change(service, ({ open: _, isGivenUp: __, ...entry }) => ({ ...entry, attempts: 0 }));
  }

  #spend(
    service: string,
    reason: string,
    { times: before, reasons = [] }: Entry,
  ): Required<Pick<Entry, 'times' | 'reasons'>> & { readonly granted: boolean } {
    const now = this.#clock.now();
    const { granted, takes } = spend({ [service]: [...before] }, service, now, this.#limits.stormLimit);
    const times = takes[service] ?? [];
    const all = granted ? [...reasons, reason] : reasons;
    return { granted, times, reasons: all.slice(Math.max(0, all.length - times.length)) };
  }

  async #change(service: string, change: (before: Entry) => Entry): Promise<Entry> {
    let entry = blank;
    await updateDocument(this.#store, namespace, this.#runId, (current) => {
      const book = (current ?? {}) as unknown as Readonly<Record<string, Entry>>;
      const before = (Object.hasOwn(book, service) ? book[service] : undefined) ?? blank;
      entry = change(before);
      return entry === before ? undefined : ({ ...book, [service]: entry } as unknown as Json);
    });
    return entry;
  }
}

/** How often each service of a run was restarted by its guardians, and how often repaired without that; what is under way does not count yet. */
export async function restartCounts(
  store: StateStore,
  runId: string,
): Promise<ReadonlyMap<string, { readonly restarts: number; readonly repairs: number }>> {
  const book = await readBook(store, runId);
  return new Map(
    Object.entries(book).map(([service, { total, repairs = 0, open }]) => [
      service,
      { restarts: Math.max(0, total - pendingOf(open)), repairs },
    ]),
  );
}

/** The incidents of a run that go on, or that were left by a guardian that died. */
export async function openIncidents(store: StateStore, runId: string): Promise<OpenIncident[]> {
  return Object.values(await readBook(store, runId)).flatMap(({ open }) => (open ? [open] : []));
}

/** The services of a run that were given up and have not been stable since. */
export async function servicesGivenUp(store: StateStore, runId: string): Promise<ReadonlySet<string>> {
  const entries = Object.entries(await readBook(store, runId));
  return new Set(entries.flatMap(([service, { isGivenUp }]) => (isGivenUp ? [service] : [])));
}

/** Forgets everything about a run that is over. */
export async function closeBook(store: StateStore, runId: string): Promise<void> {
  await store.delete(namespace, runId);
}

async function readBook(store: StateStore, runId: string): Promise<Readonly<Record<string, Entry>>> {
  return ((await store.get(namespace, runId))?.value ?? {}) as unknown as Readonly<Record<string, Entry>>;
}
