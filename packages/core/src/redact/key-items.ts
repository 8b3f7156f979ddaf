import type { Json } from '../model/json.js';
import { maskKeyLines } from './key-lines.js';
import { stepOf } from './key-stream.js';
import { plainText } from './plain-text.js';

/** A line in a list, and who printed it. */
interface Item {
  readonly at: number;
  readonly text: string;
}

/** Takes the bodies of private keys out of a list of lines, as texts or as objects with a `text`. The same list where there are none. */
export function maskKeyItems(items: Json[]): Json[] {
  if (items.length < 2 || !mayHaveKey(items)) return items;
  const sources = new Map<string, Item[]>();
  for (const [at, item] of items.entries()) {
    const text = textOf(item);
    // What has lines of its own is looked at by itself.
    if (text === undefined || text.trimEnd().includes('\n')) continue;
    const source = `${sourceOf(item)} ${stepOf(text)}`;
    const lines = sources.get(source) ?? [];
    lines.push({ at, text: plainText(text) });
    sources.set(source, lines);
  }
  const copy = [...items];
  let changed = false;
  for (const lines of sources.values()) {
    const safe = maskKeyLines(lines.map(({ text }) => text));
    for (const [place, { at, text }] of lines.entries()) {
      const line = safe[place];
      if (line === undefined || line === text) continue;
      const item = items[at];
      copy[at] = typeof item === 'object' && item !== null ? { ...item, text: line } : line;
      changed = true;
    }
  }
  return changed ? copy : items;
}

/** Quick, because nearly no list has one: a key shows by its first or last line, or is all there is of a source. */
function mayHaveKey(items: readonly Json[]): boolean {
  return items.some((item) => /PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/]{60}/.test(textOf(item) ?? ''));
}

function textOf(item: Json | undefined): string | undefined {
  if (typeof item === 'string') return item;
  const text = typeof item === 'object' && item !== null && !Array.isArray(item) ? item.text : undefined;
  return typeof text === 'string' ? text : undefined;
}

function sourceOf(item: Json): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return '';
  return `${String(item.service ?? '')} ${String(item.stream ?? '')}`;
}
