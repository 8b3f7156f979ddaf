import { dirname, sep } from 'node:path';
import { formatDuration } from '../config/duration.js';
import { pluginBlocked } from '../model/adapter-error-codes.js';
import { ArgusError } from '../model/argus-error.js';
import type { CodeAtWork, LoadedCode } from './code-at-work.js';
import { type Frame, placesIn } from './frames.js';

/** Whose code stood still, as far as that can be told. */
export interface Blamed {
  readonly plugin?: string;
  /** The checks of it that were at work. */
  readonly checks: readonly string[];
  /** The file and the line. */
  readonly where?: string;
}

/**
 * Whose code it is that stands still: of the innermost frame that is neither Node's nor below our own folder, or of the only plugin
 * whose checks are at work.
 */
export function blame(
  frames: readonly Frame[],
  { plugins, checks }: Pick<CodeAtWork, 'plugins' | 'checks'>,
  own: string,
): Blamed {
  const places = placesIn(frames, own);
  const [first] = places;
  const found = places.map(({ file }) => pluginOf(file, plugins)).find((one) => one);
  const atWork = plugins.filter((one) => one.checks.some((name) => checks.includes(name)));
  const plugin = found ?? (first === undefined && atWork.length === 1 ? atWork[0] : undefined);
  const named = plugin ? checks.filter((name) => plugin.checks.includes(name)) : first ? [] : checks;
  return {
    ...(plugin ? { plugin: plugin.name } : {}),
    checks: named,
    ...(first ? { where: `${first.file}:${first.line}` } : {}),
  };
}

/** The error of what stood still for so long, and what was done about it. */
export function blockedError({ plugin, checks, where }: Blamed, forMs: number, done: string): ArgusError {
  const who = plugin === undefined ? (where === undefined ? 'Something' : 'Code') : `The plugin ${plugin}`;
  const during = checks.length === 0 ? '' : ` in ${checks.join(' or ')}`;
  const place = where === undefined ? '' : ` at ${where}`;
  return new ArgusError(pluginBlocked, {
    message: `${who}${during}${place} held everything up for ${formatDuration(forMs)}${done}`,
    details: { plugin: plugin ?? null, checks: [...checks], where: where ?? null },
  });
}

/** The plugin that a file belongs to: its own, or one beside it in its package. */
function pluginOf(file: string, plugins: readonly LoadedCode[]): LoadedCode | undefined {
  const inFolder = ({ file: its = '' }: LoadedCode) =>
    its.includes(`${sep}node_modules${sep}`) && file.startsWith(dirname(its) + sep);
  return plugins.find((one) => one.file === file) ?? plugins.find(inFolder);
}
