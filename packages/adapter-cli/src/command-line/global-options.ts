import { commonFormats, type Format, parseFormat } from './format.js';
import { unknownWord, usageError } from './usage-error.js';

/** The options that every command has. */
export interface GlobalOptions {
  readonly format: Format;
  /** The folder to start in. */
  readonly project?: string;
  /** The configuration file. */
  readonly config?: string;
  readonly color: boolean;
  /** Show where a crash happened. */
  readonly debug: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** The arguments, taken apart as far as is possible before the commands are known. */
export interface SplitArguments {
  readonly options: GlobalOptions;
  readonly command?: string;
  /** What belongs to the command. */
  readonly rest: readonly string[];
}

/** An option that every command has, as help shows it. */
export interface GlobalOption {
  readonly name: string;
  readonly short?: string;
  /** What stands for its value; without it the option takes none. */
  readonly value?: string;
  readonly description: string;
}

/** All options that every command has. */
export const globalOptions: readonly GlobalOption[] = [
  { name: 'format', value: commonFormats.join('|'), description: 'How results are written (default pretty)' },
  {
    name: 'project',
    value: 'DIR',
    description: "The folder to start in (default the current one); with --config the project's folder",
  },
  {
    name: 'config',
    value: 'FILE',
    description: 'The configuration file, instead of searching for one',
  },
  { name: 'no-color', description: 'Write without colours' },
  { name: 'debug', description: 'Show where a crash happened' },
  { name: 'help', short: 'h', description: 'Show help' },
  { name: 'version', short: 'V', description: 'Show the version' },
];

/** The arguments that are meant for argus: what comes after `--` belongs to a command that argus runs. */
export function ownArguments(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf('--');
  return dashes < 0 ? argv : argv.slice(0, dashes);
}

/** Takes out the options that every command has, wherever they stand, and finds the command. */
export function splitArguments(argv: readonly string[]): SplitArguments {
  const given = new Map<string, string>();
  const rest: string[] = [];
  let command: string | undefined;
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--') {
      rest.push(...argv.slice(index));
      break;
    }
    const { option, inline } = recognise(argument);
    if (option?.value !== undefined) {
      given.set(option.name, inline ?? valueAfter(argv, index, option.name));
      if (inline === undefined) index += 1;
    } else if (option) {
      if (inline !== undefined)
        throw usageError(`--${option.name} takes no value`, { option: `--${option.name}` });
      given.set(option.name, '');
    } else if (command === undefined && !argument.startsWith('-')) {
      command = argument;
    } else {
      if (command === undefined) throw misplaced(argument);
      rest.push(argument);
    }
  }
  return { options: read(given), ...(command === undefined ? {} : { command }), rest };
}

function recognise(argument: string): { option?: GlobalOption; inline?: string } {
  const [, long, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
  const option = globalOptions.find(({ name, short }) =>
    long === undefined ? short !== undefined && argument === `-${short}` : name === long,
  );
  return { ...(option ? { option } : {}), ...(inline === undefined ? {} : { inline }) };
}

function valueAfter(argv: readonly string[], index: number, name: string): string {
  const value = argv[index + 1];
  if (value === undefined || value.startsWith('--'))
    throw usageError(`--${name} needs a value`, { option: `--${name}` });
  return value;
}

function misplaced(argument: string) {
  const known = globalOptions.map(({ name }) => `--${name}`);
  const sentence = `argus itself has no option ${argument}, and those of a command come after it`;
  return unknownWord(sentence, { word: argument.replace(/=.*/s, ''), known });
}

function read(given: ReadonlyMap<string, string>): GlobalOptions {
  const project = given.get('project');
  const config = given.get('config');
  return {
    format: given.has('format') ? parseFormat(given.get('format') ?? '') : 'pretty',
    ...(project === undefined ? {} : { project }),
    ...(config === undefined ? {} : { config }),
    color: !given.has('no-color'),
    debug: given.has('debug'),
    help: given.has('help'),
    version: given.has('version'),
  };
}
