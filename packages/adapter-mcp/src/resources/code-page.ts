import type { Explanation } from '@argusai/core';

/** A page about a code; nothing where the name means something else. */
export function codePage(explanation: unknown): string | undefined {
  const page = explanation as Explanation;
  if (page.kind !== 'code') return undefined;
  const { code, summary, category, severity, causes, handling, suggestedActions } = page;
  const actions = suggestedActions.map(({ name }) => `- ${name}`);
  return [
    `# ${code}`,
    `${summary}. (${category}, ${severity})`,
    ...section(
      'What causes it',
      causes.map((cause) => `- ${cause}`),
    ),
    ...section('What argus does', [handling ?? '']),
    ...section('What you can do', remedyLines(page)),
    ...section('Suggested actions', actions),
  ].join('\n\n');
}

function remedyLines({ remedy, remedies = [] }: Extract<Explanation, { kind: 'code' }>): string[] {
  const list = remedies.map((one) => `- ${one.reason}: ${one.remedy}`);
  return [
    ...(remedy === undefined ? [] : [remedy]),
    ...(list.length === 0 ? [] : ['', 'By the reason in the details:', '', ...list]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  const text = lines.join('\n');
  return text === '' ? [] : [`## ${title}`, text];
}
