import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer, NextCall } from './answer.js';
import { summaryOf } from './summary.js';

/** The answer as the protocol wants it. Some clients show a model only the text, some only the data; each says everything. */
export function toResult(tool: string, answer: Answer): CallToolResult {
  const text = answer.ok ? okText(tool, answer) : errorLine(answer);
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...answer },
    isError: !answer.ok,
  };
}

function okText(tool: string, { data, notices = [], pending, truncated, next }: Answer): string {
  if (pending) return `${pending.message} ${nextText(next)}`.trim();
  const cut = truncated ? `\nCut, ${truncated.bytes} bytes in all. ${truncated.more}` : '';
  const line = `${sentence(summaryOf(tool, data))} ${nextText(next)}`.trim();
  const beside = notices.map(({ code, message }) => `\nNotice ${code}: ${sentence(message)}`).join('');
  return `${line}${beside}\n${JSON.stringify(data)}${cut}`;
}

/** One line: the code, the message, what to call next. */
function errorLine({ error, next, human, truncated }: Answer): string {
  const parts = [
    `${error?.code}: ${sentence(error?.message ?? '')}`,
    nextText(next),
    human ?? '',
    truncated?.more ?? '',
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(/\s+/g, ' ');
}

/** What to call next, in words. */
export function nextText(next: NextCall | undefined): string {
  if (!next) return '';
  const given = Object.keys(next.arguments).length === 0 ? '' : ` ${JSON.stringify(next.arguments)}`;
  return `Next: call ${next.tool}${given}.`;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
