import * as z from 'zod';

const syntax = /^\/(.+)\/([a-z]*)$/s;

/** Whether a body has a text in it, or fits a pattern that is written between slashes. */
export function matchesBody(body: string, pattern: string): boolean {
  const [, source, flags] = syntax.exec(pattern) ?? [];
  return source === undefined ? body.includes(pattern) : new RegExp(source, flags).test(body);
}

/** Whether the beginning of a body has what the whole must have, whatever comes after it; of a pattern only the whole tells. */
export function isSurelyIn(beginning: string, pattern: string): boolean {
  return !syntax.test(pattern) && beginning.includes(pattern);
}

/** The schema of what a body must have in it. */
export function bodyPattern() {
  return z
    .string()
    .min(1)
    .superRefine((pattern, context) => {
      try {
        matchesBody('', pattern);
      } catch (error) {
        const message = `${JSON.stringify(pattern)} is not a pattern: ${(error as Error).message}`;
        context.addIssue({ code: 'custom', message });
      }
    });
}
