import type { RunIdentity, RuntimeEvent } from '@argusai/core';
import { glance, isPaused, isRunning, type Sighting } from '../records/sighting.js';
import { FolderWatch } from '../system/folder-watch.js';
import type { Tools } from './tools.js';

const pollMs = 1_000;

/** How far the story of a service has been told. */
interface Told {
  readonly seq: number;
  /** It was told that the service has ended, or it did not run when the watch began. */
  readonly ended: boolean;
  readonly paused: boolean;
}

/** What happens to the services of a run from now on. */
export function watchRun(tools: Tools, run: RunIdentity, signal: AbortSignal): AsyncIterable<RuntimeEvent> {
  // Begun at once and not when the first event is asked for: "from now on" means from this call.
  // By the clock of the keepers.
  const begun = Date.now();
  const first = sightings(tools, run);
  first.catch(() => undefined);
  return follow(tools, run, { begun, first }, signal);
}

async function* follow(
  tools: Tools,
  run: RunIdentity,
  from: { readonly begun: number; readonly first: Promise<Map<string, Sighting>> },
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const watch = new FolderWatch(tools.clock, pollMs);
  try {
    const told = new Map<string, Told>();
    // One that is paused by now is told: nobody knows whether it was before this watch began.
    for (const [service, sighting] of await from.first)
      told.set(service, { ...tell(before(sighting, from.begun), undefined, 0).told, paused: false });
    while (!signal.aborted) {
      const known = await sightings(tools, run);
      const folders = [...known.values()].map(({ record }) => record.dir);
      const isNew = watch.follow([tools.records.folderOfRun(run.id), ...folders]);
      for (const [service, sighting] of known) {
        const { events, told: upTo } = tell(
          sighting,
          told.get(service) ?? { seq: 0, ended: true, paused: false },
          tools.clock.now(),
        );
        told.set(service, upTo);
        yield* events;
      }
      for (const service of [...told.keys()].filter((name) => !known.has(name))) {
        told.delete(service);
        yield { service, type: 'removed', at: tools.clock.now() };
      }
      // Something may have happened in a folder before it was watched.
      if (!isNew) await watch.next(signal);
    }
  } finally {
    watch.close();
  }
}

/** What was to be seen of a service before a time: the first look may come later than what it is to come before. */
function before(sighting: Sighting, time: number): Sighting {
  const { state } = sighting;
  if (state === undefined) return sighting;
  return { ...sighting, state: { ...state, events: state.events.filter(({ at }) => at < time) } };
}

async function sightings(tools: Tools, run: RunIdentity): Promise<Map<string, Sighting>> {
  const records = await tools.records.list({ runId: run.id });
  const seen = await Promise.all(records.map(glance));
  return new Map(seen.map((sighting) => [sighting.record.service, sighting]));
}

/** What there is to tell of a service, given what was told before. */
function tell(
  sighting: Sighting,
  before: Told | undefined,
  now: number,
): { events: RuntimeEvent[]; told: Told } {
  const { state, record, keeperLives } = sighting;
  const { service } = record;
  const fresh = (state?.events ?? []).filter(({ seq }) => seq > (before?.seq ?? 0));
  const events = fresh.map(({ type, at, exitCode }): RuntimeEvent => {
    return { service, type, at, ...(exitCode === undefined ? {} : { exitCode }) };
  });
  const last = fresh.at(-1);
  const ended = last ? last.type === 'exited' : (before?.ended ?? true);
  // Without a keeper nobody writes down that it has ended, nor how.
  const vanished = !ended && !keeperLives && !isRunning(sighting);
  if (vanished) events.push({ service, type: 'exited', at: now });
  const paused = isPaused(sighting);
  const wasPaused = before?.paused ?? false;
  // That one which has ended or was started again does not hang any more goes without saying.
  if (paused && !wasPaused) events.push({ service, type: 'paused', at: now });
  else if (!paused && wasPaused && events.length === 0) events.push({ service, type: 'resumed', at: now });
  return { events, told: { seq: last?.seq ?? before?.seq ?? 0, ended: ended || vanished, paused } };
}
