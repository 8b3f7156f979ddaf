import { internalError, isBundled, type Kernel, quoted } from '@argusai/core';

type Value = Readonly<Record<string, unknown>>;

/** What stands in sentences of argus of what a plugin said. */
const said = ['message', 'target', 'action'];

/** A name, an address or a path cannot be read as a sentence. */
const nameLike = /^[\w:./@+-]*$/;

/**
 * Quotes the words of plugins of third parties in what is answered: nobody knows whom they repeat. So it does with what was thrown by
 * somebody who did not mean to tell anybody something.
 */
export function quotingPlugins({
  plugins,
  errorCodes,
  recoverers,
}: Pick<Kernel, 'plugins' | 'errorCodes' | 'recoverers'>): <Told>(told: Told) => Told {
  const others = new Set(plugins.filter((one) => !isBundled(one)).map(({ plugin }) => plugin.name));
  const isOfOthers = ({ plugin, code, recoverer, details }: Value): boolean => {
    if (code === internalError.code) return true;
    const owners = [errorCodes.ownerOf(String(code)), recoverers.ownerOf(String(recoverer))];
    return [plugin, (details as Value | undefined)?.plugin, ...owners].some((one) => others.has(String(one)));
  };
  const quote = (value: unknown, isWithin: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => quote(item, isWithin));
    if (typeof value !== 'object' || value === null) return value;
    const isOwn = isWithin || isOfOthers(value as Value);
    const entries = Object.entries(value).map(([key, item]) => {
      const isSentence = typeof item === 'string' && said.includes(key) && !nameLike.test(item);
      return [key, isOwn && isSentence ? quoted(item) : quote(item, isOwn)];
    });
    return Object.fromEntries(entries);
  };
  return (told) => quote(told, false) as typeof told;
}
