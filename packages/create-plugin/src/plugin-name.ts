import { Refusal } from './refusal.js';

/** What a plugin is called in each of the places where it has a name. */
export interface PluginName {
  /** In configurations and before everything that it registers: `message-queue`. */
  readonly plugin: string;
  /** On npm: `argusai-plugin-message-queue` or `@team/argusai-plugin-message-queue`. */
  readonly package: string;
  /** Its folder, without the scope. */
  readonly folder: string;
  /** At the beginning of its error codes: `MESSAGE_QUEUE`. */
  readonly code: string;
}

const prefix = 'argusai-plugin-';
const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const scopeName = /^@[a-z0-9][a-z0-9._-]*$/;
/** npm takes no longer ones. */
const longest = 214;
/** What argus brings along has these names, and no two loaded plugins can have the same. */
const taken = ['core', 'disk', 'docker', 'network', 'orphans', 'ports', 'process'];

/** Reads the name of a plugin, with or without scope and prefix: `message-queue`, `@team/argusai-plugin-message-queue`. */
export function parseName(given: string): PluginName {
  const [, scope, rest = ''] = /^(?:(@[^/]*)\/)?(.*)$/s.exec(given.trim()) ?? [];
  const plugin = rest.startsWith(prefix) ? rest.slice(prefix.length) : rest;
  if (!kebab.test(plugin) || (scope !== undefined && !scopeName.test(scope))) {
    throw new Refusal(
      `${JSON.stringify(given)} cannot be the name of a plugin`,
      'Use small letters, digits and single hyphens, a letter first: message-queue, or with a scope @team/message-queue.',
    );
  }
  if (taken.includes(plugin)) {
    throw new Refusal(
      `Argus itself brings a plugin called ${plugin}, and two of one name cannot be loaded together`,
      `Choose a name that none of these has: ${taken.join(', ')}.`,
    );
  }
  const folder = `${prefix}${plugin}`;
  const packageName = scope === undefined ? folder : `${scope}/${folder}`;
  if (packageName.length > longest) {
    throw new Refusal(
      `The name has ${packageName.length} characters, and npm takes ${longest}`,
      'Choose a shorter one.',
    );
  }
  return { plugin, package: packageName, folder, code: plugin.toUpperCase().replaceAll('-', '_') };
}
