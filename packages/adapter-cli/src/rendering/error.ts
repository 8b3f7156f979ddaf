import { relative } from 'node:path';
import type { Kernel, StructuredError } from '@argusai/core';
import type { Line } from './line.js';
import { suggestedCommands } from './suggested-commands.js';

/** What is known about the run that an error ended. */
export interface ErrorScene {
  readonly cwd: string;
  readonly kernel?: Kernel;
  /** The command, as people type it. */
  readonly command?: string;
}

/** An error for people: what happened, its code, each problem on a line of its own, and what to do next. */
export function errorLines(error: StructuredError, scene: ErrorScene): Line[] {
  return [
    [['error', 'red'], `: ${error.message}`],
    ['code: ', [error.code, 'bold']],
    ...problemsOf(error, scene.cwd).map((problem): Line => [`  ${problem}`]),
    ...outputOf(error),
    ...rollbackOf(error),
    ...nextSteps(error, scene).map((step): Line => [['next: ', 'cyan'], step]),
  ];
}

/** How many of the last lines of output are shown. */
const shownLines = 20;

/** What a service printed last. Of a build everything was shown when it came. */
function outputOf({ code, details }: StructuredError): Line[] {
  const lines = Array.isArray(details.lines) && code !== 'BUILD_FAILED' ? details.lines : [];
  const shown = lines.slice(-shownLines);
  const cut = lines.length > shown.length ? ` (the last ${shown.length} of ${lines.length} lines)` : '';
  if (shown.length === 0) return [];
  return [[`its output${cut}:`], ...shown.map((line): Line => [['  | ', 'dim'], String(line)])];
}

/** What became of what had been started when it failed. */
function rollbackOf({ details }: StructuredError): Line[] {
  const { removed, failed } = (details.rollback ?? {}) as { removed?: unknown; failed?: unknown };
  if (!Array.isArray(removed) || !Array.isArray(failed)) return [];
  if (failed.length > 0) {
    return failed.map((one): Line => [['not taken down', 'red'], `: ${String(one)}`]);
  }
  return removed.length > 0 ? [[['everything that was started has been taken down again', 'dim']]] : [];
}

interface ConfigProblem {
  readonly path?: string;
  readonly line?: number;
  readonly message?: string;
}

/** Problems of a configuration with file and line as editors understand them, of plugins and input as they are. */
function problemsOf({ details }: StructuredError, cwd: string): string[] {
  if (!Array.isArray(details.problems)) return [];
  const file = typeof details.file === 'string' ? shortest(details.file, cwd) : undefined;
  return details.problems.map((problem) => {
    if (typeof problem !== 'object' || problem === null) return String(problem);
    const { path, line, message } = problem as ConfigProblem;
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;
    return `${place}${path ?? ''}: ${message ?? ''}`;
  });
}

function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '' || path.length > file.length ? file : path;
}

function nextSteps(error: StructuredError, { kernel, command, cwd }: ErrorScene): string[] {
  const { code, details } = error;
  switch (code) {
    case 'CONFIG_INVALID': {
      const what = typeof details.file === 'string' ? shortest(details.file, cwd) : 'the configuration';
      return [`correct ${what} and try again`];
    }
    case 'CONFIG_UNWRITABLE':
      return ['argus init --dry-run shows what would be written'];
    case 'USAGE_INVALID': {
      const asked = command ?? details.command;
      return [`argus ${typeof asked === 'string' ? `${asked} ` : ''}--help`];
    }
    case 'PLUGIN_INVALID':
      return [
        `correct the plugin ${details.plugin ?? ''} or take it out of the configuration`.replace(
          / {2}/g,
          ' ',
        ),
      ];
    case 'INTERNAL_ERROR':
      return ['this is a defect in argus or in a plugin; run it again with --debug to see where'];
    default:
      return kernel ? suggestedCommands(kernel, error) : [];
  }
}
