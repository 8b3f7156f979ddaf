import type { CheckStatus } from '@argusai/core';
import { findingTitle } from './finding-title.js';
import type { Finding, Findings } from './findings.js';
import { markdownText } from './markdown-text.js';

const marks: Readonly<Record<CheckStatus, string>> = {
  pass: '✅',
  warn: '⚠️',
  fail: '❌',
  unknown: '❔',
  skipped: '➖',
};

/** A page of Markdown about a check: its verdict, and a table of everything that was looked at. */
export function githubSummary(
  { project, overall, all, notices, repairs }: Findings,
  verdict: string,
): string {
  const what = project === undefined ? 'argus' : `argus: ${project}`;
  const items = [
    ...repairs.map((repair) => `- repair: ${markdownText(repair)}`),
    ...notices.map(({ code, message }) => `- notice: ${markdownText(message)} (${markdownText(code)})`),
  ];
  return [
    `### ${markdownText(what)} ${overall === undefined ? 'could not be checked' : `is ${overall}`}`,
    '',
    markdownText(verdict),
    '',
    '| check | status | message | what to type |',
    '|---|---|---|---|',
    ...all.map(row),
    '',
    ...(items.length === 0 ? [] : [...items, '']),
    // Whoever adds to the file next begins a paragraph of his own.
    '',
  ].join('\n');
}

function row(finding: Finding): string {
  const { status, message, problems, next } = finding;
  const cells = [
    markdownText(findingTitle(finding)),
    `${marks[status]} ${status}`,
    [message, ...problems].map(markdownText).join('<br>'),
    next.map(stepText).join('<br>'),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A command looks like one; what else there is to do is a sentence. */
function stepText(step: string): string {
  const text = markdownText(step);
  return step.startsWith('argus ') ? `<code>${text}</code>` : text;
}
