import { createRequire } from 'node:module';
import type { DatabaseConstructor } from './connection.js';

/** Loads libsql. It is CommonJS, so `require` does, which takes two thirds of the time that `import` would. */
export function loadLibsql(): DatabaseConstructor {
  return createRequire(`${import.meta.dirname}/`)('libsql');
}
