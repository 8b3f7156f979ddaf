import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

/** What was asked for on the command line. */
export interface CommandLine {
  readonly name?: string;
  readonly dir?: string;
  readonly description?: string;
  readonly author?: string;
  /** Ask nothing. */
  readonly yes: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** What `--help` prints. */
export const help = `Writes an Argus plugin into a new folder: a checker, a recoverer, a code, and a test of all three.

Usage: npm create @argusai/plugin -- [NAME] [options]

  --name NAME          message-queue, or with a scope @team/message-queue; the same as NAME
  --dir DIR            the folder in which argusai-plugin-NAME is made (default: this one)
  --description TEXT   what the plugin is for, in one line
  --author TEXT        who stands in its licence
  -y, --yes            ask nothing, take the defaults
  -h, --help           print this
  -v, --version        print the version

At a terminal, what is not given is asked for. Nothing that exists is ever written over.
Exit codes: 0 written, 1 it could not be written, 2 wrong usage, 130 interrupted.
`;

/** Reads the command line. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { values, positionals } = parsed(argv);
  const { yes = false, help: wantsHelp = false, version = false, ...given } = values;
  const [name, ...more] = [...(given.name === undefined ? [] : [given.name]), ...positionals];
  if (more.length > 0) {
    throw wrongUsage(`One name is needed, and there are several: ${[name, ...more].join(' ')}`);
  }
  return { ...given, ...(name === undefined ? {} : { name }), yes, help: wantsHelp, version };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        dir: { type: 'string' },
        description: { type: 'string' },
        author: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    // The rest of what Node says is about its own options for those who program.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw wrongUsage(message);
  }
}

function wrongUsage(message: string): Refusal {
  return new Refusal(message, 'See npm create @argusai/plugin -- --help.');
}
