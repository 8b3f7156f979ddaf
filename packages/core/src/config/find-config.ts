import { existsSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { property } from '../model/property.js';
import { configError } from './problem.js';
import { inRealFolder, realFolder } from './real-folder.js';

const names = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'];
const understood = ['', ...names.map((extension) => `.${extension}`)];

/** Where a configuration may be, the first one found in a folder wins. */
export const configPlaces: readonly string[] = [
  ...names.map((extension) => `argus.config.${extension}`),
  '.argusrc',
  ...['json', 'yaml', 'yml', 'js', 'ts', 'mjs', 'cjs'].map((extension) => `.argusrc.${extension}`),
  'package.json',
  'e2e.yaml',
  'e2e.yml',
];

/** A configuration file and its text, not yet understood. */
export interface FoundConfig {
  /** Its absolute path. */
  readonly file: string;
  readonly text: string;
  /** Other configurations of the same folder, which come after it and are not read. */
  readonly passedOver?: readonly string[];
}

/**
 * Finds the configuration, or takes the file that was asked for. The search begins in a folder and goes up to the root
 * of the repository; outside a repository it stays in the folder, because what lies above is somebody else's.
 */
export async function findConfig({
  cwd,
  file,
}: {
  cwd: string;
  file?: string | undefined;
}): Promise<FoundConfig | null> {
  if (file !== undefined) return readNamed(inRealFolder(resolve(cwd, file)));
  const start = realFolder(cwd);
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) {
    throw configError(null, [{ path: [], message: `there is no folder ${start}`, value: cwd }]);
  }
  for (const folder of foldersFrom(start)) {
    for (const place of configPlaces) {
      const found = configAt(resolve(folder, place));
      if (found) return withPassedOver(found, folder);
    }
  }
  return null;
}

/** What else of the folder could have been meant; package.json is there for other reasons as well. */
function withPassedOver(found: FoundConfig, folder: string): FoundConfig {
  const others = configPlaces
    .filter((place) => place !== 'package.json')
    .map((place) => resolve(folder, place));
  const passedOver = others.filter((other) => other !== found.file && isThere(other));
  return passedOver.length > 0 ? { ...found, passedOver } : found;
}

/** The configuration at a path, if there is one. To pass over one that cannot be read and go on with the defaults would be a lie. */
function configAt(file: string): FoundConfig | undefined {
  if (!isThere(file)) return undefined;
  // It is there for other reasons as well.
  if (basename(file) === 'package.json') {
    const text = tryStat(file)?.isFile() ? tryRead(file) : undefined;
    return text !== undefined && hasOwnPart(text) ? { file, text } : undefined;
  }
  refuseSpecial(file);
  const text = tryRead(file);
  if (text === undefined) throw configError(file, [{ path: [], message: 'the file cannot be read' }]);
  return { file, text };
}

/** Also a link that leads nowhere: somebody meant there to be something. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder above that nobody may look into has nothing that could be read.
    return false;
  }
}

/** Whoever reads a pipe waits for somebody to write into it, and a link may lead nowhere. */
function refuseSpecial(file: string): void {
  const stats = tryStat(file);
  if (stats?.isFile() || stats?.isDirectory()) return;
  const message = stats ? 'this is no regular file' : 'this is a link that leads nowhere';
  throw configError(file, [{ path: [], message }]);
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads back to itself has nothing behind it either.
    return undefined;
  }
}

function tryRead(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // What that means depends on the file.
    return undefined;
  }
}

/** Reads the configuration of a name, or says why that cannot be. */
export function readNamed(file: string): FoundConfig {
  try {
    if (!understood.includes(extname(file))) throw new Error('of no known kind');
    const text = readFileSync(file, 'utf8');
    if (basename(file) !== 'package.json' || hasOwnPart(text)) return { file, text };
  } catch (error) {
    throw configError(file, [{ path: [], message: whyUnreadable(error, file) }], undefined, error);
  }
  throw configError(file, [{ path: [], message: 'there is no property "argus" in this file' }]);
}

function whyUnreadable(error: unknown, file: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EISDIR') return 'this is a folder, expected a file';
  if (code !== undefined) return `the file cannot be read: ${code}`;
  return `files with the extension "${extname(file)}" are not understood, expected one of ${names.join(', ')}`;
}

/** The folder, and those above it up to the root of the repository. */
function foldersFrom(start: string): string[] {
  const folders = [start];
  for (let folder = start; !existsSync(resolve(folder, '.git')); folder = dirname(folder)) {
    if (folder === dirname(folder)) return [start];
    folders.push(dirname(folder));
  }
  return folders;
}

/** Whether a package.json says something to argus. Where it is no JSON that is told when the text is read, where the line is known. */
function hasOwnPart(text: string): boolean {
  try {
    return property(JSON.parse(text.replace(/^\uFEFF/, '')), 'argus') !== undefined;
  } catch {
    return true;
  }
}
