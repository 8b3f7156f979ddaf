import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedCode } from '../session/running-code.js';
import type { Blamed } from './ended.js';
import type { Frame } from './messages.js';

/** What is known of the code that a process has loaded. */
export interface Known {
  readonly plugins: readonly LoadedCode[];
  /** The checks that are at work. */
  readonly checks: readonly string[];
}

/** Whose code it is that stands still: of the innermost frame that is not our own, or of the only plugin whose checks are at work. */
export function blame(
  frames: readonly Frame[],
  { plugins, checks }: Known,
  own = import.meta.dirname,
): Blamed {
  const [first, ...others] = frames.flatMap(({ url, line }) => {
    const file = fileOf(url);
    return file === undefined || file.startsWith(own + sep) ? [] : [{ file, line }];
  });
  const found = first && [first, ...others].map(({ file }) => pluginOf(file, plugins)).find((one) => one);
  const atWork = plugins.filter((one) => one.checks.some((name) => checks.includes(name)));
  const plugin = found ?? (first === undefined && atWork.length === 1 ? atWork[0] : undefined);
  const named = plugin ? checks.filter((name) => plugin.checks.includes(name)) : first ? [] : checks;
  return {
    ...(plugin ? { plugin: plugin.name } : {}),
    checks: named,
    ...(first ? { where: `${first.file}:${first.line}` } : {}),
  };
}

/** The plugin that a file belongs to: its own, or one beside it in its package. */
function pluginOf(file: string, plugins: readonly LoadedCode[]): LoadedCode | undefined {
  const inFolder = ({ file: its = '' }: LoadedCode) =>
    its.includes(`${sep}node_modules${sep}`) && file.startsWith(dirname(its) + sep);
  return plugins.find((one) => one.file === file) ?? plugins.find(inFolder);
}

/** The file of a script; nothing where it is none of a file, as Node's own. */
function fileOf(url: string): string | undefined {
  if (url.startsWith('file:')) return fileURLToPath(url.replace(/[?#].*$/s, ''));
  return url.startsWith(sep) ? url : undefined;
}
