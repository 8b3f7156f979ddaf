import { basename, dirname } from 'node:path';
import {
  adapterErrorCodes,
  configInvalid,
  coreErrorCodes,
  isErrorOf,
  type Kernel,
  remedyOf,
  type StructuredError,
} from '@argusai/core';
import type { Input } from '../../command-line/parse-input.js';
import { begunSteps } from '../recovery/begun-steps.js';
import { shortestPath } from '../text/shortest-path.js';
import { stepsFor } from './steps-for.js';
import { filterArguments } from './suggested-commands.js';

/** What is known about the run that an error ended. */
export interface ErrorScene {
  readonly cwd: string;
  readonly kernel?: Kernel;
  /** The command, as people type it. */
  readonly command?: string;
  /** What it was asked. */
  readonly input?: Input;
}

/** The commands that start what the configuration names, and have nothing to do without it. */
const starting = ['setup', 'run', 'build'];

/** What to do about an error that ended a run, best first. */
export function nextSteps(error: StructuredError, scene: ErrorScene): string[] {
  const { code, details } = error;
  const { kernel, command, cwd, input = {} } = scene;
  switch (code) {
    case 'CONFIG_INVALID': {
      const what = typeof details.file === 'string' ? shortestPath(details.file, cwd) : 'the configuration';
      const plugins = pluginsToBlame(error);
      if (plugins.length === 0) return [...formerSteps(error, scene), `correct ${what} and try again`];
      const [noun, them] = plugins.length === 1 ? ['plugin', 'it'] : ['plugins', 'them'];
      return [`correct the ${noun} ${plugins.join(' and ')}, or take ${them} out of ${what}`];
    }
    case 'CONFIG_UNWRITABLE':
      return ['argus init --dry-run shows what would be written'];
    case 'USAGE_INVALID': {
      if (details.reason === 'folder-gone') return ['change to a folder that is there, and try again'];
      if (details.reason === 'no-command' && details.suggestion !== undefined)
        return [`argus ${details.suggestion}`];
      if (details.reason === 'not-run')
        return [
          'argus plugins loads them and lists what they bring; argus explain NAME tells how a command of theirs is typed',
        ];
      if (kernel && error.suggestedActions.length > 0) return stepsFor(kernel, error, { cwd });
      if (starting.includes(command ?? '') && typeof details.file === 'string') {
        const file = shortestPath(details.file, cwd);
        return [`write what to start into ${file}, or uncomment the example there, and try again`];
      }
      const asked = command ?? details.command;
      return [`argus ${typeof asked === 'string' ? `${asked} ` : ''}--help`];
    }
    case 'PLAN_STALE':
      // Its plan is made again where the stale one was made.
      if (command === 'fix') return [`argus fix --plan${filterArguments(input)}`];
      break;
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
  }
  if (kernel) return stepsFor(kernel, error, { command, input, cwd });
  const known = [...coreErrorCodes, ...adapterErrorCodes].find((one) => one.code === code);
  return [remedyOf(known, details) ?? `argus explain ${code}`];
}

/** What turns an `e2e.yaml` of ArgusAI, the predecessor, into a configuration: its keys tell it, and it is read where it lies. */
function formerSteps(error: StructuredError, { cwd }: ErrorScene): string[] {
  const { file, problems = [] } = isErrorOf(error, configInvalid) ? error.details : {};
  const isNamed = typeof file === 'string' && /^e2e\.ya?ml$/.test(basename(file));
  if (!isNamed || !problems.some(({ path }) => path === 'version' || path === 'service')) return [];
  const where = dirname(file) === cwd ? '' : ` in ${dirname(file)}`;
  return [`argus init${where} makes an argus.config.yaml from it`];
}

/** The plugins that a configuration names rightly and that are broken themselves, if that is all that is wrong with it. */
function pluginsToBlame(error: StructuredError): string[] {
  const problems = isErrorOf(error, configInvalid) ? (error.details.problems ?? []) : [];
  const broken = problems.flatMap(({ path, value, suggestion, expected }) =>
    // Where something else should stand in its place, that is said.
    /^plugins\[\d+\]$/.test(path) && suggestion === undefined && expected === undefined
      ? [value].filter((name) => typeof name === 'string')
      : [],
  );
  return broken.length === problems.length ? broken : [];
}
