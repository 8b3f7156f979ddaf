import { configError } from './problem.js';

/** What is wrong with a text that was read as UTF-8 and is none. */
export function otherEncoding(text: string): { message: string; line?: number } | undefined {
  const isUtf16 = text.startsWith('\uFFFD\uFFFD') || text.slice(0, 200).includes('\0');
  const at = text.indexOf('\uFFFD');
  if (!isUtf16 && at < 0) return undefined;
  const message = `is not UTF-8, it looks like ${isUtf16 ? 'UTF-16' : 'Latin-1'}; save it as UTF-8`;
  return { message, ...(isUtf16 ? {} : { line: text.slice(0, at).split('\n').length }) };
}

/** What is not UTF-8 was read as something else than it says, so none of it is worth showing. */
export function refuseOtherEncodings(file: string, text: string): void {
  const problem = otherEncoding(text);
  if (problem) throw configError(file, [{ path: [], ...problem }]);
}
