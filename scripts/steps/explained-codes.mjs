import { askArgus } from './ask-argus.mjs';
import { builtCore, builtKernel } from './built-kernel.mjs';

/** @typedef {Extract<import('@argusai/core').Explanation, { kind: 'code' }>} ExplainedCode */

/**
 * A code with everything that the built program can say about it.
 * @typedef {object} DocumentedCode
 * @property {ExplainedCode} explained
 * @property {import('@argusai/core').ErrorCode} code
 * @property {string[]} commands What to type, best first.
 */

/**
 * Every code of core and of the plugins that come along, as they were built.
 * @param {string} root
 * @returns {Promise<DocumentedCode[]>}
 */
export async function explainedCodes(root) {
  const core = await builtCore(root);
  const kernel = await builtKernel(root);
  const explain = kernel.operations.get('explain');
  if (!explain) throw new Error('There is no operation explain');
  const { commands } = /** @type {import('./cli-page.mjs').Overview} */ (askArgus(root, root, ['help']));
  const usages = new Map(commands.map(({ operation, usage }) => [operation, usage]));
  return Promise.all(
    kernel.errorCodes.values().map(async (code) => {
      const envelope = await core.runOperation(kernel, explain, { name: code.code });
      if (!envelope.ok) throw new Error(envelope.error.message);
      const explained = /** @type {ExplainedCode} */ (envelope.data);
      return { explained, code, commands: commandsOf(explained, usages) };
    }),
  );
}

/**
 * What to type, as the program itself suggests it: with the arguments that it takes, and nothing that needs an option which
 * only the occurrence can tell.
 * @param {ExplainedCode} explained
 * @param {ReadonlyMap<string, string>} usages How each operation is typed.
 */
function commandsOf({ suggestedActions, foundBy, recoverers }, usages) {
  const only = recoverers.length > 0 && foundBy[0] !== undefined ? ` --only ${foundBy[0]}` : '';
  const commands = suggestedActions.flatMap(({ name, kind, needs }) => {
    if (kind === 'recoverer') return [`argus fix${only}`];
    const typed = (usages.get(name) ?? '').split(' ').filter((word) => !/[[\]…]/.test(word));
    const isWhole = needs.every((one) => typed.includes(one.toUpperCase()));
    return isWhole && typed.length > 1 ? [typed.join(' ')] : [];
  });
  return [...new Set(commands)];
}
