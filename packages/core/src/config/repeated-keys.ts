/** A key that is in one object of a JSON text more than once. */
export interface RepeatedKey {
  /** Where the object is. */
  readonly path: readonly (string | number)[];
  readonly key: string;
  /** Of the later one. */
  readonly line: number;
}

interface Opened {
  /** The keys of an object; an array has none. */
  readonly keys?: Set<string>;
  /** The key or the index whose value is being read. */
  at: string | number;
  isKeyNext: boolean;
}

const words = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Finds the keys of a valid JSON text that are there twice: the reader takes the last one and says nothing. */
export function repeatedKeys(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const opened: Opened[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    const inside = opened.at(-1);
    if (word === '{') opened.push({ keys: new Set(), at: '', isKeyNext: true });
    else if (word === '[') opened.push({ at: 0, isKeyNext: false });
    else if (word === '}' || word === ']') opened.pop();
    else if (word === ',' && inside?.keys) inside.isKeyNext = true;
    else if (word === ',' && typeof inside?.at === 'number') inside.at += 1;
    else if (inside?.keys && inside.isKeyNext) {
      const key = String(JSON.parse(word));
      const line = text.slice(0, index).split('\n').length;
      if (inside.keys.has(key)) found.push({ path: opened.slice(0, -1).map(({ at }) => at), key, line });
      inside.keys.add(key);
      [inside.at, inside.isKeyNext] = [key, false];
    }
  }
  return found;
}
