import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
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
 * that is half of the time a start takes. The file holds one function with the parameters that `require` would give it
 * and one more: a script that was compiled earlier has forgotten how to import, so it is handed the means to do so.
 * `require` is that of a module beside the file. From Node 22 on all this could be left to `module.enableCompileCache`.
 */
export function loadProgram(file: string, version: string, use: Use, require: NodeJS.Require): Program {
  const kept = compiledFile(file, version, use, process.env);
  const cachedData = kept === undefined ? undefined : readCompiled(kept);
  // The bundler writes nothing but ASCII, which is read faster when Node need not look for anything else.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} as Pick<Program, 'runProcess'> };
  const load = script.runInThisContext();
  load(module.exports, withLateModules(require), module, file, dirname(file), importModule);
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  return {
    runProcess: module.exports.runProcess,
    keepCompiled() {
      if (kept !== undefined && !isKept) writeCompiled(kept, () => script.createCachedData());
    },
  };
}
