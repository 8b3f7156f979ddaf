import { KeyTracker } from './key-tracker.js';
import { plainText } from './plain-text.js';

/** More sources than anyone prints at a time. */
const MAX_SOURCES = 1_000;

/** Docker's builder prints the steps that it does at the same time into one another, each line with the number of its step. */
const STEP = /^#\d+(?= )/;

/** The step of a build that a line is of; nothing for other lines. */
export function stepOf(line: string): string {
  return STEP.exec(line)?.[0] ?? '';
}

/**
 * Takes the bodies of private keys out of lines that come one by one from many sources. `from`: whether sources are read from their
 * beginning, or perhaps from within a key.
 */
export function createKeyStream({ from = 'outside' }: { from?: 'outside' | 'unknown' } = {}) {
  const trackers = new Map<string, KeyTracker>();
  // What failed is often printed again, and not from its beginning.
  const remembered = new Set<string>();
  return (source: string, line: string): string => {
    const key = `${source} ${stepOf(line)}`;
    const tracker = trackers.get(key) ?? new KeyTracker({ from, remembered });
    if (trackers.size >= MAX_SOURCES && !trackers.has(key)) trackers.clear();
    trackers.set(key, tracker);
    const plain = plainText(line);
    const safe = tracker.next(plain);
    return safe === plain ? line : safe;
  };
}
