import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DatabaseConstructor } from './connection.js';

/**
 * Loads libsql. It is CommonJS, so `require` does, which takes two thirds of the time that `import` would. Where packages
 * are links, it must be loaded from where it really is, or it does not find what it needs itself; Node sees to that, except
 * that it has been seen to overlook a link while other files are being looked at. A second look is right.
 */
export function loadLibsql(): DatabaseConstructor {
  const require = createRequire(`${import.meta.dirname}/`);
  return require(realpathSync(require.resolve('libsql')));
}
