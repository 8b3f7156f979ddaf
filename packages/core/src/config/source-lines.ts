import type { Node } from 'yaml';
import type { FindLine } from './problem.js';

/** Finds lines in YAML, and so in JSON. Loaded only once there is a problem to place. */
export async function sourceLines(text: string): Promise<FindLine> {
  const { LineCounter, isAlias, isMap, isPair, isScalar, isSeq, parseDocument } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, merge: true, uniqueKeys: false });

  const start = (node: unknown) => (node as Node | null | undefined)?.range?.[0];

  /** The node under a key, and where it begins: for an entry of an object at its key. */
  const step = (
    parent: unknown,
    key: PropertyKey,
  ): { node: unknown; offset: number | undefined } | undefined => {
    const node = isAlias(parent) ? parent.resolve(document) : parent;
    if (isSeq(node)) {
      const item = node.items[Number(key)];
      return item === undefined ? undefined : { node: item, offset: start(isPair(item) ? item.key : item) };
    }
    if (!isMap(node)) return undefined;
    const pair = node.items.find(
      ({ key: name }) => String(isScalar(name) ? name.value : name) === String(key),
    );
    return pair && { node: pair.value, offset: start(pair.key) };
  };

  // What is missing has no line; the nearest thing around it has.
  return (path) => {
    let node: unknown = document.contents;
    let offset: number | undefined;
    for (const key of path) {
      const next = step(node, key);
      if (!next) break;
      node = next.node;
      offset = next.offset ?? offset;
    }
    return offset === undefined ? undefined : counter.linePos(offset).line;
  };
}
