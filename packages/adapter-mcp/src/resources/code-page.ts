import type { Explanation } from '@argusai/core';

/** A page about a code; nothing where the name means something else. */
export function codePage(explanation: unknown): string | undefined {
  const page = explanation as Explanation;
  if (page.kind !== 'code') return undefined;
  const { code, summary, category, severity, causes, handling, remedy, suggestedActions } = page;
  const actions = suggestedActions.map(({ name }) => `- ${name}`);
  return [
    `# ${code}`,
    `${summary}. (${category}, ${severity})`,
    ...section(
      'What causes it',
      causes.map((cause) => `- ${cause}`),
    ),
    ...section('What argus does', [handling ?? '']),
    ...section('What you can do', [remedy ?? '']),
    ...section('Suggested actions', actions),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  const text = lines.join('\n');
  return text === '' ? [] : [`## ${title}`, text];
}
