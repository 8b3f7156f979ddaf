import { printableLines, quotation } from '@argusai/core';
import type { Answer } from './answer.js';

/**
 * The answer with what others said taken out of its sentences and set apart, so that no model takes it for what argus says; and
 * without any character in it that hides what a text says. The arguments of the next call stay as they are: with others it would be another one.
 */
export function setApart(answer: Answer): Answer {
  const said = new Map<string, string>();
  const nameOf = (words: string) => {
    if (!said.has(words)) said.set(words, `output ${said.size + 1}`);
    return `[${said.get(words)}]`;
  };
  const cleaned = mapTexts(answer, (text) =>
    printableLines(text).replace(quotation, (_, words: string) => nameOf(words)),
  ) as Answer;
  const untrusted = Object.fromEntries([...said].map(([words, name]) => [name, words]));
  const next = answer.next && { ...cleaned.next, arguments: answer.next.arguments };
  return { ...cleaned, ...(next ? { next } : {}), ...(said.size === 0 ? {} : { untrusted }) } as Answer;
}

/** What may have words of others in it, as a block that nothing in it can end: the data or the details, and what was set apart. */
export function untrustedBlock({ untrusted = {}, notices = [] }: Answer, data: unknown): string[] {
  const told = notices.filter(({ details }) => Object.keys(details).length > 0);
  const lines = [
    ...Object.entries(untrusted).map(([name, words]) => `${name}: ${inBlock(words)}`),
    ...(data === undefined ? [] : [inBlock(data)]),
    ...told.map(({ code, details }) => `notice ${code}: ${inBlock(details)}`),
  ];
  return lines.length === 0 ? [] : ['<untrusted>', ...lines, '</untrusted>'];
}

function inBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
}
