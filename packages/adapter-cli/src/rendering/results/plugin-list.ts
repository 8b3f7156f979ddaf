import { asWritten, type Kernel, type ListedPlugin } from '@argusai/core';
import { dataLines } from '../text/data.js';
import type { Line } from '../text/line.js';

const kinds = ['checkers', 'recoverers', 'operations', 'runtimes', 'codes', 'hooks'] as const;

/** The loaded plugins for people: where each comes from, what it brings, and its options. */
export function pluginListLines(plugins: readonly ListedPlugin[], loaded: Kernel['plugins'] = []): Line[] {
  const schemaOf = (name: string) => loaded.find(({ plugin }) => plugin.name === name)?.plugin.options;
  const lines = plugins.map((plugin): Line[] => [
    [[plugin.name, 'bold'], ownVersion(plugin), '  ', [originOf(plugin), 'dim']],
    ...kinds.flatMap((kind): Line[] =>
      plugin[kind].length === 0 ? [] : [[`  ${kind}: `, plugin[kind].join(', ')]],
    ),
    ...optionLines(asWritten(schemaOf(plugin.name), plugin.options)),
  ]);
  return lines.flatMap((one, index) => (index === 0 ? one : [[], ...one]));
}

/** The version of a package stands with the package, any other with the plugin. */
function ownVersion({ from, version }: ListedPlugin): string {
  return version === undefined || from === 'package' ? '' : ` ${version}`;
}

function originOf({ from, version, path, ...plugin }: ListedPlugin): string {
  const what = { core: 'part of argus', 'built-in': 'built-in', file: 'file', code: 'given in code' };
  const words = from === 'package' ? [`package ${plugin.package ?? ''}`, version] : [what[from]];
  return [...words, path].filter((word) => word !== undefined).join(' ');
}

function optionLines(options: unknown): Line[] {
  const hasSome = typeof options === 'object' && options !== null && Object.keys(options).length > 0;
  return hasSome ? [['  options:'], ...dataLines(options).map((line): Line => ['    ', ...line])] : [];
}
