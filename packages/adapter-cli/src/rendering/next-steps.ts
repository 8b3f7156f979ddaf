import type { Kernel, StructuredError } from '@argusai/core';
import type { Input } from '../command-line/parse-input.js';
import { begunSteps } from './begun-steps.js';
import { filterArguments } from './recovery-plan.js';
import { shortestPath } from './shortest-path.js';
import { stepsFor } from './steps-for.js';

/** What is known about the run that an error ended. */
export interface ErrorScene {
  readonly cwd: string;
  readonly kernel?: Kernel;
  /** The command, as people type it. */
  readonly command?: string;
  /** What it was asked. */
  readonly input?: Input;
}

/** What to do about an error that ended a run, best first. */
export function nextSteps(error: StructuredError, scene: ErrorScene): string[] {
  const { code, details } = error;
  const { kernel, command, cwd, input = {} } = scene;
  switch (code) {
    case 'CONFIG_INVALID': {
      const what = typeof details.file === 'string' ? shortestPath(details.file, cwd) : 'the configuration';
      return [`correct ${what} and try again`];
    }
    case 'CONFIG_UNWRITABLE':
      return ['argus init --dry-run shows what would be written'];
    case 'USAGE_INVALID': {
      if (kernel && error.suggestedActions.length > 0) return stepsFor(kernel, error);
      if (command === 'setup' && typeof details.file === 'string') {
        const file = shortestPath(details.file, cwd);
        return [`write what to start into ${file}, or uncomment the example there, and try again`];
      }
      const asked = command ?? details.command;
      return [`argus ${typeof asked === 'string' ? `${asked} ` : ''}--help`];
    }
    case 'PLAN_STALE':
      // Its plan is made again where the stale one was made.
      if (command === 'fix') return [`argus fix --plan${filterArguments(input)}`];
      return kernel ? stepsFor(kernel, error, { command }) : [`argus explain ${code}`];
    case 'SERVICE_START_FAILED':
      // A process that never began has printed nothing that could be read; of a container the engine has told.
      if (details.reason === 'command-missing' && details.lines === undefined)
        return [`correct services.${String(details.service)}.command in the configuration and try again`];
      return kernel ? stepsFor(kernel, error, { command }) : [`argus explain ${code}`];
    case 'PLUGIN_INVALID':
      return [
        `correct the plugin ${details.plugin ?? ''} or take it out of the configuration`.replace(
          / {2}/g,
          ' ',
        ),
      ];
    case 'PLUGIN_INCOMPATIBLE':
      return ['install versions of the plugin and of argus that fit, or take it out of the configuration'];
    case 'INTERNAL_ERROR':
      return [
        `this is a defect in argus or in a plugin; ${details.report === undefined ? '' : 'look into the report, or '}run it again with --debug to see where`,
      ];
    case 'CANCELLED':
      if (begunSteps(error).length > 0)
        return ['argus check shows how things are now, argus fix --plan what would be done about it'];
      return [
        `${command === undefined ? 'the same command' : `argus ${command}`} does it again, when you want it done`,
      ];
    default:
      return kernel ? stepsFor(kernel, error, { command }) : [`argus explain ${code}`];
  }
}
