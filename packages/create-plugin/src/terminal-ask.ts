import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import type { Ask } from './answers.js';
import { Refusal } from './refusal.js';

/** How to ask the person at the terminal; nothing when nobody sits there. */
export function terminalAsk(): Ask | undefined {
  if (!isatty(0) || !isatty(2)) return undefined;
  return (question) =>
    new Promise((resolve, reject) => {
      // Not as a terminal of its own, so that Ctrl-C ends the program; nothing has been written yet.
      const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      lines.once('close', () =>
        reject(new Refusal('\nThere was no answer, and nothing was written', 'Begin again.', 1)),
      );
      process.stderr.write(question);
    });
}
