import type { Explanation, Kernel } from '@argusai/core';
import { suggestedCommands } from '../problems/suggested-commands.js';
import { type Line, textWidth } from '../text/line.js';

type ExplainedCode = Extract<Explanation, { kind: 'code' }>;
type ExplainedRecoverer = ExplainedCode['recoverers'][number];

/** A code for people: what it means and comes from, what argus does about it, what to do and what to type. */
export function codeLines(code: ExplainedCode, kernel: Kernel): Line[] {
  const { category, severity, plugin, causes, foundBy, page } = code;
  return [
    [[code.code, 'bold'], `: ${code.summary}`],
    [[`${category}, ${severity}, declared by ${plugin}`, 'dim']],
    ...section(
      'what causes it',
      causes.map((cause): Line => [cause]),
    ),
    ...section('what argus does', [...handlingOf(code)]),
    ...section('what you can do', remedyLines(code)),
    ...section('what to type', typed(code, kernel)),
    ...section('its details', fieldLines(code.details)),
    ...(foundBy.length === 0 ? [] : [[], ['found by: ', foundBy.join(', ')]]),
    ...(page === undefined ? [] : [...(foundBy.length === 0 ? [[]] : []), ['in the docs: ', page]]),
  ];
}

/** What a recoverer can cost, and whether argus may use it by itself. */
export function permissionLine(
  { risk, alone, from, afterChecks }: Pick<ExplainedRecoverer, 'risk' | 'alone' | 'from' | 'afterChecks'>,
  autonomy: string,
): Line {
  const after = afterChecks > 1 ? `, once ${afterChecks} checks in a row have found it` : '';
  const permission = alone
    ? `argus check --auto-fix may do it by itself at autonomy ${autonomy}${after}`
    : `not by itself at autonomy ${autonomy}, only from ${from} on or when you apply its plan`;
  return [`${risk}: ${permission}`];
}

function handlingOf({ handling, recoverers, autonomy }: ExplainedCode): Line[] {
  const lines = recoverers.flatMap((recoverer): Line[] => [
    [[recoverer.name, 'bold'], ', ', ...permissionLine(recoverer, autonomy)],
    ...(recoverer.description === undefined ? [] : [[`  ${recoverer.description}`] as const]),
  ]);
  const own: Line[] = handling === undefined ? [] : [[handling]];
  return lines.length + own.length === 0
    ? [['It reports it; no loaded plugin repairs it.']]
    : [...own, ...lines];
}

function remedyLines({ remedy, remedies = [] }: ExplainedCode): Line[] {
  const width = Math.max(0, ...remedies.map(({ reason }) => textWidth(reason)));
  return [
    ...(remedy === undefined ? [] : [[remedy]]),
    ...(remedies.length === 0 ? [] : [['by the reason in its details:']]),
    ...remedies.map((one): Line => ['  ', [one.reason.padEnd(width), 'bold'], `  ${one.remedy}`]),
  ];
}

function typed({ code, suggestedActions, foundBy, recoverers }: ExplainedCode, kernel: Kernel): Line[] {
  const names = suggestedActions.map(({ name }) => name);
  // Only what a check finds can be planned for, and only where a recoverer handles it.
  const check = recoverers.length > 0 && foundBy.length === 1 ? foundBy[0] : undefined;
  const commands = suggestedCommands(kernel, { code, suggestedActions: names, details: {} }, check);
  return commands.map((command) => [[command, 'cyan']]);
}

function fieldLines(fields: ExplainedCode['details']): Line[] {
  const width = Math.max(0, ...fields.map(({ name }) => textWidth(name)));
  return fields.map(({ name, type, required, description }) => [
    [name.padEnd(width), 'bold'],
    `  ${type}${required ? '' : ', not always there'}`,
    ...(description === undefined ? [] : [[`  ${description}`, 'dim'] as const]),
  ]);
}

function section(heading: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [[], [`${heading}:`], ...lines.map((line): Line => ['  ', ...line])];
}
