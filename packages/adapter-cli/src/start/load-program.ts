import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import type { runProcess } from '../process/run-process.js';
import { compiledFile, readCompiled, type Use, writeCompiled } from './compiled-file.js';
import { withLateModules } from './late-modules.js';

/** The program, loaded but not started. */
export interface Program {
  readonly runProcess: typeof runProcess;
  /** Keeps what was compiled so far for the next start. Does nothing when it was kept before. */
  keepCompiled(): void;
}

const importModule = (specifier: string): Promise<unknown> => import(/* @vite-ignore */ specifier);

/**
 * Loads the program as `require` would, except that code which was compiled at an earlier start is not compiled again;
 * that is half of the time a start takes. What most starts do without is in a file beside it, which is loaded when
 * the program asks for `rest:`. `require` is that of a module beside these files. From Node 22 on all this could be left to
 * `module.enableCompileCache`.
 */
export function loadProgram(file: string, version: string, use: Use, require: NodeJS.Require): Program {
  const loaded: LoadedFile[] = [];
  let rest: unknown;
  const ours = withLateModules(
    Object.assign((id: string) => {
      if (id !== 'rest:') return require(id);
      rest ??= load(join(dirname(file), 'rest.js'));
      return rest;
    }, require),
  );
  const load = (path: string) => {
    const one = loadFile(path, compiledFile(path, version, use, process.env), ours);
    loaded.push(one);
    return one.exports;
  };
  const { runProcess } = load(file) as Pick<Program, 'runProcess'>;
  return {
    runProcess,
    keepCompiled() {
      for (const one of loaded) one.keepCompiled();
    },
  };
}

interface LoadedFile {
  readonly exports: unknown;
  keepCompiled(): void;
}

/**
 * The file holds one function with the parameters that `require` would give it and one more: a script that was compiled
 * earlier has forgotten how to import, so it is handed the means to do so.
 */
function loadFile(file: string, kept: string | undefined, require: NodeJS.Require): LoadedFile {
  const cachedData = kept === undefined ? undefined : readCompiled(kept);
  // The bundler writes nothing but ASCII, which is read faster when Node need not look for anything else.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  const load = script.runInThisContext();
  load(module.exports, require, module, file, dirname(file), importModule);
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  return {
    exports: module.exports,
    keepCompiled() {
      if (kept !== undefined && !isKept) writeCompiled(kept, () => script.createCachedData());
    },
  };
}
