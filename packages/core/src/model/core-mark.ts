import { coreVersion } from './core-version.js';

/** Known by its name, because the core that looks for it may be another copy than the one that has put it there. */
const mark = Symbol.for('@argusai/core');

/** What a plugin carries to say which core has made it. */
export const coreMark = { [mark]: coreVersion };

/** The version of the core that has made a plugin; nothing for a plain object. */
export function markedCore(plugin: object): string | undefined {
  const version: unknown = Reflect.get(plugin, mark);
  return typeof version === 'string' ? version : undefined;
}
