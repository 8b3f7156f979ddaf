import type { StructuredError } from '@argusai/core';
import type { Answer } from './answer.js';

/** How much a client is given at once, in bytes, as text and as data. */
export const maxBytes = 20_000;

/** How long texts and lists may be, tried one after the other until everything fits. */
const limits = [
  ...[4_000, 2_000, 1_000, 500, 250].map((text) => ({ text, items: Math.ceil(text / 10) })),
  ...[15, 10, 6, 4, 2].map((items) => ({ text: 160, items })),
];

/** With so many parts an object is a list by name, such as the services of a project, and no thing with properties of its own. */
const manyParts = 25;

/** How many places are named that were cut. */
const namedPlaces = 8;

/** How many bytes a value takes as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * Cuts the middle out of long texts and lists, also of lists by name, until the answer fits; beginning and end mostly say the most, and a shorter list is
 * still a list of the same things. Where even that is too long, the data is left out and has to be asked for.
 */
export function cut(answer: Answer, more: string, sizeOf: (answer: Answer) => number = bytesOf): Answer {
  if (sizeOf(answer) <= maxBytes) return answer;
  const bytes = bytesOf(answer);
  for (const limit of limits) {
    const { shorter, omitted } = shortened(answer, limit);
    const told = { ...shorter, truncated: { bytes, omitted: omitted.slice(0, namedPlaces), more } };
    if (sizeOf(told) <= maxBytes) return told;
  }
  const bare = withoutData(answer);
  const left = (omitted: string[]) => ({ truncated: { bytes, omitted, more } });
  const place = answer.error ? 'error.details' : 'data';
  const told = { ...bare, ...left([place]) };
  if (sizeOf(told) <= maxBytes) return told;
  const { next: _, ...rest } = bare;
  return { ...rest, ...left([place, 'next']) };
}

/** The answer with less in it. The next call stays as it is: with less in it, it would be another call. */
function shortened(
  { next, ...answer }: Answer,
  limit: Limit,
): { readonly shorter: Answer; readonly omitted: string[] } {
  const omitted: string[] = [];
  const shorter = shorten(answer, '', limit, omitted) as Answer;
  return { shorter: { ...shorter, ...(next ? { next } : {}) }, omitted };
}

/** What is left when nothing else fits: that it went well or what went wrong, and what to call next. */
function withoutData(answer: Answer): Answer {
  const { data: _, error, notices, ...rest } = answer;
  const bare = (one: StructuredError) => ({ ...one, details: {} });
  const kept = {
    ...rest,
    ...(error ? { error: bare(error) } : {}),
    ...(notices ? { notices: notices.map(bare) } : {}),
  };
  return shortened(kept, { text: 160, items: 2 }).shorter;
}

interface Limit {
  readonly text: number;
  readonly items: number;
}

function shorten(value: unknown, path: string, limit: Limit, omitted: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= limit.text) return value;
    omitted.push(`${path}: ${value.length - limit.text} characters`);
    const half = Math.floor(limit.text / 2);
    return `${value.slice(0, half)} … ${value.slice(-half)}`;
  }
  if (Array.isArray(value)) {
    const kept = value.length <= limit.items ? value : withoutMiddle(value, limit.items);
    if (kept.length < value.length) omitted.push(`${path}: ${value.length - kept.length} of ${value.length}`);
    return kept.map((item, index) => shorten(item, `${path}[${index}]`, limit, omitted));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const most = Math.max(limit.items, manyParts);
  const kept = entries.length <= most ? entries : (withoutMiddle(entries, most) as typeof entries);
  if (kept.length < entries.length)
    omitted.push(`${path}: ${entries.length - kept.length} of ${entries.length}`);
  return Object.fromEntries(
    kept.map(([key, item]) => {
      const place = path === '' ? key : `${path}.${key}`;
      return [key, shorten(item, place, limit, omitted)];
    }),
  );
}

function withoutMiddle(items: readonly unknown[], kept: number): unknown[] {
  const first = Math.ceil(kept / 2);
  const last = kept - first;
  return [...items.slice(0, first), ...(last === 0 ? [] : items.slice(-last))];
}
