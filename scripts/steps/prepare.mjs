import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { linkPrograms } from './link-programs.mjs';
import { withLock } from './lock.mjs';
import { say } from './say.mjs';

/**
 * Installs and builds what is missing, one process at a time.
 * @param {string} root
 * @returns {Promise<import('./failure.mjs').Failure[]>} What could not be built.
 */
export function prepare(root) {
  return withLock(
    join(root, '.build', 'lock'),
    async () => {
      await install(root);
      const failures = await build(root);
      linkPrograms(root);
      return failures;
    },
    ({ pid }) => say(`Waiting for process ${pid}, which is installing or building here …`),
  );
}
