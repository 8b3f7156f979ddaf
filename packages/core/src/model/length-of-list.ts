/** More than any list of results or steps has; what is longer is a mistake, and nobody reads it. */
const maxLength = 10_000;

/**
 * How long a list is that somebody else made. A list with a length that is none, or without end, throws. Its items are read by their
 * index: methods such as `map` pass over holes, and may be the list's own.
 */
export function lengthOfList(list: readonly unknown[]): number {
  const { length } = list;
  if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('a list of a length that is none');
  if (length > maxLength) throw new RangeError(`a list of ${length}; ${maxLength} are the most`);
  return length;
}
