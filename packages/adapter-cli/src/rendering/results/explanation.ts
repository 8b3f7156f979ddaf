import { type Explanation, isBundled, type Kernel } from '@argusai/core';
import { commandsOf } from '../../command-line/command.js';
import { describeCommand } from '../../command-line/describe-command.js';
import type { Line } from '../text/line.js';
import { textWidth } from '../text/line.js';
import { codeLines, permissionLine } from './explained-code.js';

/** An explanation for people. */
export function explanationLines(explanation: Explanation, kernel: Kernel): Line[] {
  switch (explanation.kind) {
    case 'codes':
      return listLines(explanation.codes);
    case 'code':
      return codeLines(explanation, kernel);
    case 'checker':
      return checkerLines(explanation);
    case 'recoverer':
      return recovererLines(explanation);
    case 'operation':
      return operationLines(explanation, kernel);
  }
}

type Explained<Kind extends Explanation['kind']> = Extract<Explanation, { kind: Kind }>;

function listLines(codes: Explained<'codes'>['codes']): Line[] {
  const plugins = [...new Set(codes.map(({ plugin }) => plugin))];
  const width = Math.max(0, ...codes.map(({ code }) => textWidth(code)));
  return [
    ...plugins.flatMap((plugin): Line[] => [
      [[plugin, 'dim']],
      ...codes
        .filter((one) => one.plugin === plugin)
        .map(({ code, summary }): Line => ['  ', [code.padEnd(width), 'bold'], `  ${summary}`]),
    ]),
    ['argus explain CODE tells more about one of them'],
  ];
}

function checkerLines(checker: Explained<'checker'>): Line[] {
  const { name, plugin, description, requires, ofRun, codes } = checker;
  return [
    title(name, description),
    [[`checker, from the plugin ${plugin}`, 'dim']],
    ...(requires.length === 0 ? [] : [[`only when ${requires.join(', ')} did not fail`]]),
    ...(ofRun ? [['looks at what a setup has made']] : []),
    ...codesUnder('codes that it can give:', codes),
    ['look now: ', [`argus check --only ${name}`, 'cyan']],
  ];
}

function recovererLines(recoverer: Explained<'recoverer'>): Line[] {
  const { name, plugin, description, autonomy, codes } = recoverer;
  return [
    title(name, description),
    [[`recoverer, from the plugin ${plugin}`, 'dim']],
    permissionLine(recoverer, autonomy),
    ...codesUnder('codes that it handles:', codes),
    ['see what it would do now: ', ['argus plan-recovery', 'cyan']],
  ];
}

function operationLines(operation: Explained<'operation'>, kernel: Kernel): Line[] {
  const { name, alias = name, plugin, summary, description, effects, codes } = operation;
  const changes = effects.readOnly ? 'changes nothing' : 'may change something';
  const cost = effects.destructive ? ', also what cannot be had back' : '';
  return [
    title(name, summary),
    [[`operation, from the plugin ${plugin}; ${changes}${cost}`, 'dim']],
    ...(description === undefined ? [] : [[description]]),
    ...codesUnder('codes that suggest it:', codes),
    ...(isOfProject(plugin, kernel) ? usageLines(name, kernel) : [helpLine(alias)]),
  ];
}

function helpLine(alias: string): Line {
  return ['type: ', [`argus ${alias} --help`, 'cyan']];
}

/** Whether help, which runs nothing of a project, knows nothing of a plugin. */
function isOfProject(name: string, { plugins }: Kernel): boolean {
  const loaded = plugins.find(({ plugin }) => plugin.name === name);
  return !loaded || !isBundled(loaded);
}

/** How the command is typed, with its arguments and options. */
function usageLines(name: string, kernel: Kernel): Line[] {
  const command = commandsOf(kernel).find(({ operation }) => operation.name === name);
  if (!command) return [];
  const { usage, arguments: given, options } = describeCommand(command);
  const rows = [...given, ...options];
  const width = Math.max(0, ...rows.map(({ shown }) => textWidth(shown)));
  return [
    ['type: ', [usage, 'cyan']],
    ...rows.map(({ shown, description }): Line => [`  ${shown.padEnd(width)}  ${description}`.trimEnd()]),
  ];
}

function title(name: string, text: string | undefined): Line {
  return [[name, 'bold'], ...(text === undefined ? [] : [`: ${text}`])];
}

function codesUnder(heading: string, codes: readonly { code: string; summary: string }[]): Line[] {
  if (codes.length === 0) return [];
  const width = Math.max(...codes.map(({ code }) => textWidth(code)));
  return [
    [heading],
    ...codes.map(({ code, summary }): Line => ['  ', [code.padEnd(width), 'bold'], `  ${summary}`]),
  ];
}
