const BUCKETS = 8192;

/** Where a phrase stands in a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Looks for many phrases in one text at once. */
export interface PhraseFinder {
  /** Whether any of the phrases is in the text. */
  occursIn(text: string): boolean;
  /** Where the phrases are, in order, those that touch each other joined. */
  spansIn(text: string): Span[];
}

/**
 * Prepares a search for phrases of at least two characters (the method of Wu and Manber). A regular expression of
 * alternatives looks at every character once for each phrase; this skips ahead by up to the length of the shortest
 * phrase, so a plain message costs a few dozen steps however many phrases there are.
 */
export function createPhraseFinder(
  phrases: Iterable<string>,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): PhraseFinder {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  // Bit 5 tells upper from lower case in ASCII. Other characters may share a bucket, which the comparison sorts out.
  const bit = ignoreCase ? 32 : 0;
  const hash = (first: number, second: number) => (((first | bit) << 5) ^ (second | bit)) & (BUCKETS - 1);

  const needles = [...new Set([...phrases].map(fold))].filter(({ length }) => length > 1);
  const window = Math.min(...needles.map(({ length }) => length));
  const skips = new Uint8Array(BUCKETS).fill(Math.min(window - 1, 255));
  const heads = new Uint8Array(BUCKETS);
  const buckets = new Map<number, string[]>();
  for (const needle of needles) {
    heads[hash(needle.charCodeAt(0), needle.charCodeAt(1))] = 1;
    for (let at = 1; at < window; at++) {
      const bucket = hash(needle.charCodeAt(at - 1), needle.charCodeAt(at));
      skips[bucket] = Math.min(skips[bucket] ?? 0, window - 1 - at);
      if (at === window - 1) buckets.set(bucket, [...(buckets.get(bucket) ?? []), needle]);
    }
  }

  /** The end of the next phrase that begins at or after a place, and its beginning; longest first. */
  function next(text: string, from: number): Span | undefined {
    for (let at = from + window - 1; at < text.length; ) {
      const bucket = hash(text.charCodeAt(at - 1), text.charCodeAt(at));
      const skip = skips[bucket] ?? 0;
      if (skip > 0) {
        at += skip;
        continue;
      }
      const start = at - window + 1;
      // The end of the window fits often by chance, its beginning as well seldom.
      if (heads[hash(text.charCodeAt(start), text.charCodeAt(start + 1))] === 0) {
        at++;
        continue;
      }
      let end = 0;
      for (const needle of buckets.get(bucket) ?? []) {
        if (start + needle.length <= end) continue;
        const found = ignoreCase
          ? fold(text.slice(start, start + needle.length)) === needle
          : text.startsWith(needle, start);
        if (found) end = start + needle.length;
      }
      if (end > 0) return { start, end };
      at++;
    }
    return undefined;
  }

  return {
    occursIn: (text) => needles.length > 0 && next(text, 0) !== undefined,
    spansIn(text) {
      const spans: { start: number; end: number }[] = [];
      if (needles.length === 0) return spans;
      for (let span = next(text, 0); span; span = next(text, span.start + 1)) {
        const last = spans.at(-1);
        if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
        else spans.push({ ...span });
      }
      return spans;
    },
  };
}
