import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPackages } from './workspace.mjs';

/** @typedef {typeof import('@argusai/core')} Core */
/** @typedef {import('@argusai/core').Kernel} Kernel */

// Some checkers are only there when there is something to look at.
const config = { services: { api: { image: 'shop/api' } } };
/** @type {Record<string, object>} */
const options = {
  network: { http: ['http://localhost'], tcp: ['localhost:80'], dns: ['localhost'] },
};

/**
 * Core as it was built.
 * @param {string} root
 * @returns {Promise<Core>}
 */
export async function builtCore(root) {
  return /** @type {Core} */ (await builtModule(join(root, 'packages', 'core')));
}

/**
 * A kernel with all plugins that come along, as they were built.
 * @param {string} root
 * @returns {Promise<Kernel>}
 */
export async function builtKernel(root) {
  const core = await builtCore(root);
  const packages = readPackages(root).filter(({ name }) => name.startsWith('@argusai/plugin-'));
  const plugins = await Promise.all(
    packages.map(async ({ folder, name }) => {
      const { default: plugin } = /** @type {{ default: import('@argusai/core').Plugin }} */ (
        await builtModule(folder)
      );
      return core.usePlugin(plugin, options[plugin.name], name);
    }),
  );
  return core.createKernel({
    project: { name: 'shop', dir: root },
    config: core.configSchema.parse(config),
    plugins: [core.usePlugin(core.corePlugin, {}, 'core'), ...plugins],
  });
}

/**
 * @param {string} folder
 * @returns {Promise<unknown>}
 */
function builtModule(folder) {
  return import(pathToFileURL(join(folder, 'dist', 'index.js')).href);
}
