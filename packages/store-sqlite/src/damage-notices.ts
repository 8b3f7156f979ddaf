import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type StructuredError, storeCorrupt, structuredError } from '@argusai/core';

/** What the name of a database is continued with when it is moved aside; the time of it follows. */
export const asideMark = '.corrupt-';
/** How long everybody is told. By then whoever works here has seen it. */
const toldForMs = 24 * 60 * 60 * 1000;

/** The notice that a database was moved aside. */
export function damageNotice(store: string, movedTo: string, why: string, at: number): StructuredError {
  const message =
    `The state store ${store} was damaged${why}. It is now ${movedTo}, and a new one was begun: what ran before is ` +
    'not in it. argus status shows what of it is still there, argus clean takes it down.';
  return structuredError(storeCorrupt, { message, details: { store, movedTo } }, at);
}

/** The databases that were moved aside lately, by whatever process, and are still there. */
export function recentlyAside(database: string, now: number): { path: string; at: number }[] {
  const start = `${basename(database)}${asideMark}`;
  return namesIn(dirname(database)).flatMap((name) => {
    const time = name.startsWith(start) ? parseTime(name.slice(start.length)) : undefined;
    if (time === undefined || now - time > toldForMs) return [];
    return [{ path: join(dirname(database), name), at: time }];
  });
}

/** The time as it is written in a name: `2026-11-16T03-04-05-678Z`, perhaps with a number behind it. */
function parseTime(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z(-\d+)?$/.exec(text);
  const time = parts ? Date.parse(`${parts[1]}:${parts[2]}:${parts[3]}.${parts[4]}Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder, no store; and one that cannot be read is told of by whoever reads the store.
    return [];
  }
}
