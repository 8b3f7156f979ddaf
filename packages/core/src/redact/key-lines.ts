import { checksumIn, frameOf, isWord, keyMarks, longRun, runWithin } from './key-material.js';
import { KeyTracker, masked } from './key-tracker.js';
import type { Span } from './phrase-finder.js';

/** Takes the bodies of private keys out of the lines of one source. A key may begin before them or end after them. */
export function maskKeyLines(lines: readonly string[]): string[] {
  const tracker = new KeyTracker();
  const safe = lines.map((line) => tracker.next(line));
  let limit = -1;
  let hasMarks = false;
  for (const [at, line] of lines.entries()) {
    const marks = line.includes('PRIVATE KEY') ? [...line.matchAll(keyMarks())] : [];
    const [mark] = marks;
    if (!mark) continue;
    hasMarks = true;
    if (mark[1] === 'END') {
      const frame = frameOf(line, { start: mark.index, end: mark.index + mark[0].length });
      for (const [place, run] of bodyBefore(lines, at, limit, frame))
        if (safe[place] === lines[place]) safe[place] = masked(lines[place] ?? '', run);
    }
    limit = at;
  }
  return hasMarks ? safe : cutOnBothSides(lines);
}

/** The lines of a body, from the last line of a key back to where it begins or was cut off. */
function bodyBefore(
  lines: readonly string[],
  end: number,
  limit: number,
  frame: ReturnType<typeof frameOf>,
): Map<number, Span> {
  const found = new Map<number, Span>();
  const runAt = (at: number) => {
    const line = at > limit ? (lines[at] ?? '') : '';
    return runWithin(line, frame) ?? longRun(line);
  };
  let at = end - 1;
  const sum = at > limit ? checksumIn(lines[at] ?? '') : undefined;
  if (sum) found.set(at--, sum);
  let width = 0;
  for (let run = runAt(at); run; run = runAt(--at)) {
    const length = run.end - run.start;
    const count = found.size - (sum ? 1 : 0);
    // The last line may be shorter, all before it are alike.
    if (count > 1 ? length !== width : length < width) break;
    // A word is the end of a key only where there is more of the key, or where that was cut off.
    const isPlain = isWord((lines[at] ?? '').slice(run.start, run.end));
    if (isPlain && count === 0 && at > limit + 1 && !longRun(lines[at - 1] ?? '')) break;
    if (isPlain && count > 0) break;
    width = length;
    found.set(at, run);
  }
  return found;
}

/** Lines from the middle of a key, and nothing else: all of one length, except that the last may be shorter. */
function cutOnBothSides(lines: readonly string[]): string[] {
  const runs = lines.map(longRun);
  const [first] = runs;
  if (!first || lines.length < 2) return [...lines];
  const width = first.end - first.start;
  const isKey =
    width >= 60 && width <= 80 && runs.slice(0, -1).every((run) => run && run.end - run.start === width);
  const last = runs.at(-1) ?? runWithin(lines.at(-1) ?? '', frameOf(lines[0] ?? '', first));
  if (!isKey || !last) return [...lines];
  return lines.map((line, at) => masked(line, runs[at] ?? last));
}
