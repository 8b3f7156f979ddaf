// Everything that works on projects: core, the plugins and what makes tools of operations. It is a file of its own, loaded when it is first needed.

export {
  createOwnFile,
  isArgusError,
  makeOwnFolder,
  openError,
  portConflict,
  projectRefused,
  remedyOf,
  replaceOwnFile,
  stateDir,
  storeUnavailable,
  usageInvalid,
} from '@argusai/core';
export { unknownWord, writable } from './command-line/wrong-usage.js';
export { install } from './install/install.js';
export { runGuardian } from './process/run-guardian.js';
export { builtinPlugins } from './project/builtin-plugins.js';
export { endedAnswer, endedResult } from './supervision/ended-result.js';
export { serveWork } from './supervision/serve-work.js';
