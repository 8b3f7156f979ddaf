import { resolve } from 'node:path';
import type { CheckContext } from '@argusai/core';
import { look, lookAtEngine, type Sight, type Unseen } from './look.js';
import type { Place } from './place.js';
import type { Environment } from './system/environment.js';
import type { MayAsk } from './system/local-engine.js';
import type { Measurement } from './system/measure.js';

/** A filesystem, with the folders on it that were looked at. */
export interface Filesystem extends Omit<Measurement, 'device'> {
  /** The first of `paths`. */
  readonly path: string;
  readonly paths: readonly Place[];
}

/** Every filesystem that matters to the project, once, and what could not be seen. */
export interface Survey {
  readonly filesystems: readonly Filesystem[];
  readonly unseen: readonly Unseen[];
}

/** What is looked at besides the folder of the project. */
export interface Scope {
  /** Folders from the options, absolute or from the folder of the project. */
  readonly paths: readonly string[];
  /** Read anew for each check. */
  readonly environment: () => Environment;
  /** Whether the engine may be asked for its folder just now; left out, it may. */
  readonly mayAskEngine?: MayAsk;
}

/** Long for an answer from this machine, short enough to leave time for the other checks. */
const limitMs = 2_000;

/** Looks at all places at the same time and puts together those that share a filesystem. */
export async function survey(
  { project, clock, signal }: Pick<CheckContext, 'project' | 'clock' | 'signal'>,
  { paths, environment, mayAskEngine }: Scope,
): Promise<Survey> {
  const patience = { clock, signal, limitMs };
  const { tmpDir, engineSockets } = environment();
  const places: Place[] = [
    { path: project.dir, use: 'project' },
    { path: resolve(tmpDir), use: 'temporary files' },
    ...paths.map((path): Place => ({ path: resolve(project.dir, path), use: 'configured' })),
  ];
  const [folders, engine] = await Promise.all([
    Promise.all(places.map((place) => look(place, patience))),
    lookAtEngine(engineSockets, patience, mayAskEngine),
  ]);
  const sights = [...folders, ...engine];
  return { filesystems: filesystemsOf(sights), unseen: unseenOf(sights) };
}

function filesystemsOf(sights: readonly Sight[]): Filesystem[] {
  const found = new Map<bigint, Filesystem & { paths: Place[] }>();
  for (const sight of sights) {
    if (sight.kind === 'unseen') continue;
    const { device, ...measurement } = sight.measurement;
    const { place } = sight;
    // The place that comes first names the filesystem, so that its name does not depend on who answers first.
    const filesystem = found.get(device) ?? { ...measurement, path: place.path, paths: [] };
    if (!filesystem.paths.some(({ path }) => path === place.path)) filesystem.paths.push(place);
    found.set(device, filesystem);
  }
  return [...found.values()];
}

function unseenOf(sights: readonly Sight[]): Unseen[] {
  const unseen = sights.filter((sight) => sight.kind === 'unseen');
  return unseen.filter(({ target }, index) => unseen.findIndex((one) => one.target === target) === index);
}
