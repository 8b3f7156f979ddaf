/** However long a word is, more mistakes than this make another word of it. */
const mostMistakes = 2.5;

/** The part of a word that may be wrong: two of five letters, but not one of two. */
const wrongPart = 0.4;

/** As many letters at least make a beginning from which the rest can be guessed. */
const shortestBeginning = 3;

/** Nobody mistypes a longer word, and comparing two takes as long as their lengths multiplied. */
const longest = 200;

/** The known word that was most likely meant, if any is near enough to be worth suggesting. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const all = [...known].filter(({ length }) => length <= longest);
  return nearlySame(word, all) ?? begunBy(word, all);
}

/** The shortest known word that begins so: `all` is most of `all-runs`. */
function begunBy(word: string, known: readonly string[]): string | undefined {
  if (word.length < shortestBeginning) return undefined;
  const longer = known.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()));
  return longer.toSorted((one, other) => one.length - other.length)[0];
}

/** The known word with the fewest mistakes, if they are few enough. */
function nearlySame(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const [from, to] = whereTheyDiffer(word.toLowerCase(), candidate.toLowerCase());
    const distance = editDistance(from, to);
    const isNear = distance <= Math.min(mostMistakes, Math.max(from.length, to.length) * wrongPart);
    if (isNear && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Names without what they belong to where that is the same: of `disk.space` and `disk.inodes` the second part counts. */
function whereTheyDiffer(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const same = /^.*[./:]/s.exec(one.slice(0, at))?.[0].length ?? 0;
  return [one.slice(same), other.slice(same)];
}

/**
 * How many letters must be added, removed or changed to turn one word into the other. Two neighbours that changed places
 * are only half a mistake: the word has all the right letters.
 */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = swapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 0.5 : substitution;
      current.push(Math.min(substitution, swap, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
