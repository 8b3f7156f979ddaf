import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPackages } from './workspace.mjs';

/** @typedef {typeof import('@argusai/core')} Core */
/** @typedef {import('@argusai/core').Kernel} Kernel */
/** @typedef {Extract<import('@argusai/core').Explanation, { kind: 'code' }>} ExplainedCode */

/**
 * A code with everything that the built program can say about it.
 * @typedef {object} DocumentedCode
 * @property {ExplainedCode} explained
 * @property {import('@argusai/core').ErrorCode} code
 * @property {string[]} commands What to type, best first.
 */

// Some checkers are only there when there is something to look at.
const config = { services: { api: { image: 'shop/api' } } };
/** @type {Record<string, object>} */
const options = {
  network: { http: ['http://localhost'], tcp: ['localhost:80'], dns: ['localhost'] },
};

/**
 * Every code of core and of the plugins that come along, as they were built.
 * @param {string} root
 * @returns {Promise<DocumentedCode[]>}
 */
export async function explainedCodes(root) {
  const core = /** @type {Core} */ (await builtModule(join(root, 'packages', 'core')));
  const kernel = await kernelOf(root, core);
  const explain = kernel.operations.get('explain');
  if (!explain) throw new Error('There is no operation explain');
  return Promise.all(
    kernel.errorCodes.values().map(async (code) => {
      const envelope = await core.runOperation(kernel, explain, { name: code.code });
      if (!envelope.ok) throw new Error(envelope.error.message);
      const explained = /** @type {ExplainedCode} */ (envelope.data);
      return { explained, code, commands: commandsOf(kernel, explained) };
    }),
  );
}

/**
 * @param {string} root
 * @param {Core} core
 * @returns {Promise<Kernel>}
 */
async function kernelOf(root, core) {
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

/**
 * What to type, as the program itself suggests it.
 * @param {Kernel} kernel
 * @param {ExplainedCode} explained
 */
function commandsOf({ operations }, { suggestedActions, foundBy, recoverers }) {
  const only = recoverers.length > 0 && foundBy[0] !== undefined ? ` --only ${foundBy[0]}` : '';
  const commands = suggestedActions.map(({ name, kind, needs }) =>
    kind === 'recoverer'
      ? `argus fix${only}`
      : ['argus', operations.get(name)?.alias ?? name, ...needs.map((one) => one.toUpperCase())].join(' '),
  );
  return [...new Set(commands)];
}
