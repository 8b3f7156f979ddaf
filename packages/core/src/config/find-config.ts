import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, parse, resolve } from 'node:path';
import { homeFolder } from '../model/home-folder.js';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';
import { configError } from './problem.js';
import { inRealFolder, realFolder } from './real-folder.js';
import { reasonOf } from './reason.js';

const names = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'];

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
export async function findConfig({ cwd, file }: { cwd: string; file?: string }): Promise<FoundConfig | null> {
  if (file !== undefined) return await readNamed(inRealFolder(resolve(cwd, file)));
  const start = realFolder(cwd);
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) {
    throw configError(null, [{ path: [], message: `there is no folder ${start}`, value: cwd }]);
  }
  for (const folder of foldersFrom(start)) {
    const candidates = configPlaces.filter((place) => isThere(resolve(folder, place)));
    // Most folders have none; then there is no need to load what would search them.
    if (candidates.length === 0) continue;
    refuseSpecial(folder, candidates);
    const found = (await explorer(start, candidates)).search(folder);
    if (found) {
      const others = candidates.map((place) => resolve(folder, place)).filter(isOwn);
      const passedOver = others.filter((other) => other !== found.filepath);
      return {
        file: found.filepath,
        text: textOf(found.config),
        ...(passedOver.length > 0 ? { passedOver } : {}),
      };
    }
    refuseUnreadable(folder, candidates);
  }
  return null;
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

/** Cosmiconfig passes over what it cannot read. To go on with the defaults then would be a lie. */
function refuseUnreadable(folder: string, candidates: readonly string[]): void {
  const file = firstOwn(folder, candidates);
  if (file !== undefined) throw configError(file, [{ path: [], message: 'the file cannot be read' }]);
}

/** Whoever reads a pipe waits for somebody to write into it, and a link may lead nowhere. */
function refuseSpecial(folder: string, candidates: readonly string[]): void {
  const file = firstOwn(folder, candidates);
  if (file === undefined) return;
  const stats = tryStat(file);
  if (stats?.isFile() || stats?.isDirectory()) return;
  const message = stats ? 'this is no regular file' : 'this is a link that leads nowhere';
  throw configError(file, [{ path: [], message }]);
}

/** Whether a file is there to be a configuration; package.json is there for other reasons as well. */
const isOwn = (place: string) => basename(place) !== 'package.json';

/** The file that wins. */
function firstOwn(folder: string, candidates: readonly string[]): string | undefined {
  const place = candidates.find(isOwn);
  return place === undefined ? undefined : resolve(folder, place);
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads back to itself has nothing behind it either.
    return undefined;
  }
}

async function readNamed(file: string): Promise<FoundConfig> {
  const { load } = await explorer(file, configPlaces);
  try {
    const found = load(file);
    if (found) return { file, text: textOf(found.config) };
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

/**
 * Cosmiconfig asks for the home folder when it is loaded, and cannot be loaded where there is none. It is never asked to look
 * there, so any folder will do meanwhile. Not in the environment: whatever is started meanwhile would inherit it.
 */
function loadCosmiconfig(): Promise<typeof import('cosmiconfig')> {
  if (homeFolder(process.env) !== undefined) return import('cosmiconfig');
  homeless ??= loadHomeless();
  return homeless;
}

/** Once for all who ask at the same time, or the last of them would put back what the first has put there. */
let homeless: ReturnType<typeof loadHomeless> | undefined;

async function loadHomeless(): Promise<typeof import('cosmiconfig')> {
  const os = process.getBuiltinModule('node:os');
  const { homedir } = os;
  Object.assign(os, { homedir: () => parse(process.cwd()).root });
  try {
    return await import('cosmiconfig');
  } finally {
    Object.assign(os, { homedir });
  }
}

/** Lets cosmiconfig find and read; understanding the text is left to us, so that a mistake in it is told well. */
async function explorer(from: string, places: readonly string[]) {
  const { cosmiconfigSync } = await loadCosmiconfig();
  const keepText = (file: string, text: string) =>
    basename(file) === 'package.json' ? ownPart(text) : { text };
  const loaders = Object.fromEntries(names.map((extension) => [`.${extension}`, keepText]));
  const make = () =>
    cosmiconfigSync('argus', {
      searchPlaces: [...places],
      searchStrategy: 'none',
      ignoreEmptySearchPlaces: false,
      cache: false,
      loaders: { ...loaders, noExt: keepText },
    });
  try {
    return make();
  } catch (error) {
    // Cosmiconfig reads settings of its own, such as those in package.json, before it looks for ours.
    const [, broken = null, why = reasonOf(error)] = /JSON Error in (.*?): (.*)/.exec(reasonOf(error)) ?? [];
    if (broken !== null && manifestIn(dirname(broken)) !== undefined) return elsewhere(make);
    const message = broken === null ? `cannot search from ${from}: ${why}` : `is not valid JSON: ${why}`;
    throw configError(broken, [{ path: [], message }], undefined, error);
  }
}

/** It looks for its own settings in the current folder, and does not read a package.json that begins with a byte order mark. */
function elsewhere<T>(make: () => T): T {
  const { cwd } = process;
  process.cwd = () => parse(cwd()).root;
  try {
    return make();
  } finally {
    process.cwd = cwd;
  }
}

/** Of package.json only the property `argus` counts; without it cosmiconfig looks further. */
function ownPart(text: string): { argus?: { text: string } } {
  try {
    return property(JSON.parse(text.replace(/^\uFEFF/, '')), 'argus') === undefined
      ? {}
      : { argus: { text } };
  } catch {
    // Not JSON: it is told when the text is read, where the line is known.
    return { argus: { text } };
  }
}

/** Cosmiconfig does not call a loader for an empty file. */
function textOf(config: { text: string } | undefined): string {
  return config?.text ?? '';
}
