import { noteOf, page, section, table, textBlock } from './markdown.mjs';

/** @typedef {{ shown: string, description: string }} Option */

/**
 * A command, as `argus help --format json` describes it.
 * @typedef {object} Command
 * @property {string} name
 * @property {string} operation
 * @property {string} usage
 * @property {string} summary
 * @property {string} [description]
 * @property {Option[]} arguments
 * @property {Option[]} options
 * @property {string[]} formats
 * @property {string} [exitCodes]
 * @property {string[]} examples
 */

/**
 * All of `argus help --format json`.
 * @typedef {object} Overview
 * @property {Command[]} commands
 * @property {Option[]} options
 * @property {{ code: string, meaning: string }[]} exitCodes
 */

/**
 * The page about the command line.
 * @param {Overview} overview
 * @param {Record<string, string>} others What help says of commands that are no operations, by name.
 */
export function cliPage({ commands, options, exitCodes }, others) {
  const common = commands[0]?.formats.filter((one) => commands.every(({ formats }) => formats.includes(one)));
  return page(
    '# Command line',
    noteOf('the registered operations'),
    'Every command of `argus` with the plugins that come along. `argus help COMMAND` says the same in a terminal, and with `--format json` as ' +
      'data; `argus explain NAME` tells about the commands of your own plugins.',
    table(
      ['command', 'what it does'],
      [
        ...commands.map(({ name, summary }) => [
          `[\`argus ${name}\`](#argus-${name.replaceAll(' ', '-')})`,
          summary,
        ]),
        ...Object.keys(others).map((name) => [
          `[\`argus ${name}\`](#argus-${name})`,
          summaryOf(others[name]),
        ]),
      ],
    ),
    ...section('Options of every command', optionTable(options)),
    ...section(
      'Exit codes',
      table(
        ['code', 'meaning'],
        exitCodes.map(({ code, meaning }) => [`\`${code}\``, meaning]),
      ),
    ),
    ...commands.flatMap((command) => aboutCommand(command, common ?? [])),
    ...Object.entries(others).flatMap(([name, help]) =>
      section(`argus ${name}`, textBlock(help.trimEnd().split('\n'))),
    ),
  );
}

/**
 * @param {Command} command
 * @param {readonly string[]} common The formats that every command has.
 */
function aboutCommand(command, common) {
  const { name, operation, usage, summary, description, exitCodes } = command;
  const formats = command.formats.filter((format) => !common.includes(format));
  const parts = [
    textBlock([usage]),
    `${[`${summary}.`, description ?? ''].join(' ').trim()}`,
    operation === name ? '' : `Also called \`argus ${operation}\`.`,
    optionTable([...command.arguments, ...command.options]),
    formats.length === 0 ? '' : `More formats: ${formats.map((one) => `\`${one}\``).join(', ')}.`,
    exitCodes === undefined ? '' : `Exit codes: ${exitCodes}.`,
    command.examples.length === 1 ? 'Example:' : 'Examples:',
    textBlock(command.examples),
  ];
  return section(`argus ${name}`, parts.filter((part) => part !== '').join('\n\n'));
}

/** @param {readonly Option[]} options */
function optionTable(options) {
  const bare = options.find(({ description }) => description === '');
  if (bare) throw new Error(`${bare.shown} has no description in its schema`);
  return table(
    ['option', 'meaning'],
    options.map(({ shown, description }) => [`\`${shown}\``, description]),
  );
}

/**
 * The sentence of a help text that says what the command is for.
 * @param {string | undefined} help
 */
function summaryOf(help = '') {
  const [first = '', , third = ''] = help.split('\n');
  return first.startsWith('Usage:') ? third : first.replace(/^[^:]*: /, '');
}
