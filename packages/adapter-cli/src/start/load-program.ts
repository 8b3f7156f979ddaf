import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';
import type { runProcess } from '../process/run-process.js';
import { compiledFile, readCompiled, writeCompiled } from './compiled-file.js';

/** The program, loaded but not started. */
export interface Program {
  readonly runProcess: typeof runProcess;
  /** Keeps what was compiled so far for the next start. Does nothing when it was kept before. */
  keepCompiled(): void;
}

/**
 * Loads the program as `require` would, except that code which was compiled at an earlier start is not compiled again;
 * that is half of the time a start takes. From Node 22 on this could be left to `module.enableCompileCache`.
 */
export function loadProgram(file: string, version: string): Program {
  const kept = compiledFile(file, version, process.env);
  const cachedData = kept === undefined ? undefined : readCompiled(kept);
  const script = new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as Pick<Program, 'runProcess'> };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    runProcess: module.exports.runProcess,
    keepCompiled() {
      if (kept !== undefined && !isKept) writeCompiled(kept, () => script.createCachedData());
    },
  };
}
