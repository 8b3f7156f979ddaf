import type { Explanation, Kernel } from '@argusai/core';
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
      return operationLines(explanation);
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

function operationLines(operation: Explained<'operation'>): Line[] {
  const { name, alias = name, plugin, summary, description, effects, codes } = operation;
  const changes = effects.readOnly ? 'changes nothing' : 'may change something';
  const cost = effects.destructive ? ', also what cannot be had back' : '';
  return [
    title(name, summary),
    [[`operation, from the plugin ${plugin}; ${changes}${cost}`, 'dim']],
    ...(description === undefined ? [] : [[description]]),
    ...codesUnder('codes that suggest it:', codes),
    ['type: ', [`argus ${alias} --help`, 'cyan']],
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
