import type { Kernel } from '../kernel/kernel.js';
import type { ErrorCode } from '../model/error-code.js';

/** Where the page about a code is, from the folder `docs` of argus. Codes of third parties have none there. */
export function pageOf({ errorCodes, plugins }: Kernel, { code }: ErrorCode): string | undefined {
  const owner = errorCodes.ownerOf(code) ?? 'core';
  const source = plugins.find(({ plugin }) => plugin.name === owner)?.source ?? owner;
  const isOurs = ['core', 'built-in', `@argusai/plugin-${owner}`].includes(source);
  return owner === 'core' || isOurs ? `errors/${code}.md` : undefined;
}
