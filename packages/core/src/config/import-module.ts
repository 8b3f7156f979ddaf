import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { property } from '../model/property.js';
import { type Clock, systemClock } from '../time/clock.js';
import { doubtAbout } from '../trust/doubt-about.js';
import { keepingGlobals } from './intact-globals.js';
import { loadedInTime } from './loaded-in-time.js';
import { realFolder } from './real-folder.js';

const typescript = new Set(['.ts', '.mts', '.cts']);

/** Who wants to know before code of a user's runs in this process, such as who watches that it does not block it. */
const listeners = new Set<(file: string) => void>();

/** Calls it before each file of a user's is run, until the end of that. */
export function onUserCode(listener: (file: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Imports a file of the user's: JavaScript as Node does, TypeScript also where nobody installed a compiler. Like any
 * module it is loaded once in a process. One that does not end is given up, so that somebody can be told; one that changes what
 * everybody uses is refused.
 */
export function importModule(file: string, clock: Clock = systemClock): Promise<unknown> {
  for (const listener of listeners) listener(file);
  return keepingGlobals(() => loadedInTime(() => load(file), clock));
}

async function load(file: string): Promise<unknown> {
  if (!typescript.has(extname(file))) return await import(/* @vite-ignore */ pathToFileURL(file).href);
  const { createJiti } = await import('jiti');
  return await createJiti(file, {
    fsCache: cacheFor(file),
    interopDefault: false,
  }).import(file);
}

/** Compiled files are kept with the project's packages, and nowhere that others can write to: whoever does would have his own run. */
function cacheFor(file: string): string | false {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (!existsSync(packages)) continue;
    const cache = join(packages, '.cache', 'argus');
    return doubtAbout(join(realFolder(cache), 'compiled')) === undefined ? cache : false;
  }
  return false;
}

/** What a module exports by default, also when it was compiled to CommonJS. */
export function defaultExport(module: unknown): unknown {
  const exported = property(module, 'default');
  const isCompiled = property(exported, '__esModule') === true;
  return isCompiled ? property(exported, 'default') : exported;
}
