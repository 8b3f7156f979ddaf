import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer, NextCall } from './answer.js';
import { bytesOf, cut } from './cut.js';
import { summaryOf } from './summary.js';
import { untrustedBlock } from './untrusted.js';

/**
 * The answer as the protocol wants it. Some clients show a model only the text, some only the data; each says everything.
 * The summary is about the whole answer, also where only a part of it is given.
 */
export function toResult(tool: string, answer: Answer, whole = answer): CallToolResult {
  const text = answer.ok ? okText(answer, summaryOf(tool, whole.data)) : errorText(answer);
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...answer },
    isError: !answer.ok,
  };
}

/** The answer in a size that clients take, as text and as data, and whether something had to be left out for that. */
export function fittingResult(
  tool: string,
  answer: Answer,
  more: string,
): { readonly result: CallToolResult; readonly isCut: boolean } {
  const shorter = cut(answer, more, (one) => Math.max(bytesOf(one), textBytes(toResult(tool, one, answer))));
  return { result: toResult(tool, shorter, answer), isCut: shorter !== answer };
}

function textBytes({ content }: CallToolResult): number {
  const [first] = content;
  return first?.type === 'text' ? Buffer.byteLength(first.text) : 0;
}

function okText(answer: Answer, summary: string): string {
  const { data, pending, next, human = '' } = answer;
  if (pending) return `${pending.message} ${nextText(next)}`.trim();
  const line = [sentence(summary), nextText(next), oneLine(human)].filter((part) => part !== '').join(' ');
  return [
    line,
    ...remedyLines(answer),
    ...noticeLines(answer),
    ...untrustedBlock(answer, data),
    ...cutLines(answer),
  ].join('\n');
}

/** First one line to act on: the code, the message, what to call next. */
function errorText(answer: Answer): string {
  const { error, next, human = '' } = answer;
  const said = [`${error?.code}: ${sentence(oneLine(error?.message ?? ''))}`, nextText(next), oneLine(human)];
  const { details = {} } = error ?? {};
  return [
    said.filter((part) => part !== '').join(' '),
    ...remedyLines(answer),
    ...noticeLines(answer),
    ...untrustedBlock(answer, Object.keys(details).length === 0 ? undefined : details),
    ...cutLines(answer),
  ].join('\n');
}

function remedyLines({ remedy }: Answer): string[] {
  return remedy === undefined ? [] : [`What a person can do: ${sentence(oneLine(remedy))}`];
}

function noticeLines({ notices = [] }: Answer): string[] {
  return notices.map((one) => `Notice ${one.code}: ${sentence(oneLine(one.message))}`);
}

function cutLines({ truncated }: Answer): string[] {
  return truncated ? [`Cut, ${truncated.bytes} bytes in all. ${truncated.more}`] : [];
}

/** What to call next, in words. */
function nextText(next: NextCall | undefined): string {
  if (!next) return '';
  const given = Object.keys(next.arguments).length === 0 ? '' : ` ${JSON.stringify(next.arguments)}`;
  return `Next: call ${next.tool}${given}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
