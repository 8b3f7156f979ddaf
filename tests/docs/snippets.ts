import { textOf } from './pages.js';

/** A block of code on a page. */
export interface Snippet {
  readonly language: string;
  /** The file that its first line names; none for what is only shown. */
  readonly file?: string;
  readonly code: string;
}

/** All blocks of code on a page. */
export function snippetsOf(page: string): Snippet[] {
  const blocks = textOf(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = '', text = '']) => {
    const [, file, code] = /^(?:#|\/\/) (\S+)\n([\s\S]*)$/.exec(text) ?? [];
    return file === undefined ? { language, code: text } : { language, file, code: code ?? '' };
  });
}

/** The files that a page shows, by name. */
export function filesOf(page: string): Record<string, string> {
  return Object.fromEntries(
    snippetsOf(page).flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])),
  );
}

/** A command that a page shows, with what it prints. */
export interface Shown {
  readonly args: readonly string[];
  readonly output: string;
}

/** The commands of `argus` in the block that is marked as executed, with what each prints. */
export function transcriptOf(page: string): Shown[] {
  const [, block = ''] = /^<!-- executed -->\n\n((?: {4}.*\n|\n)+)/m.exec(textOf(page)) ?? [];
  const [, ...parts] = block.replaceAll(/^ {4}/gm, '').split(/^\$ argus /m);
  return parts.map((part) => {
    const [command = '', ...lines] = part.split('\n');
    return { args: command.split(' '), output: lines.join('\n').trim() };
  });
}

/** What was printed without how long it took, which differs each time. */
export function untimed(output: string): string {
  return output.replaceAll(/<?[\d.]+ (?:ms|s)\b/g, '0 ms').trim();
}
