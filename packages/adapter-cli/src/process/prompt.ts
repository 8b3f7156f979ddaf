import { isatty } from 'node:tty';
import type { Prompt } from '../io.js';
import { dropTypedAhead } from './drop-typed-ahead.js';

/** How to ask the person at the terminal; nothing when nobody sits there. */
export function terminalPrompt(): Prompt | undefined {
  if (!isatty(0) || !isatty(2)) return undefined;
  return async (question, signal) => {
    const { createInterface } = await import('node:readline');
    process.stdin.ref();
    dropTypedAhead(process.stdin);
    // Not as a terminal of its own: Ctrl-C then stays the signal that everything else knows how to end by.
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    try {
      return await new Promise((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        let isAnswered = false;
        lines.once('line', (line) => {
          isAnswered = true;
          resolve(line);
        });
        // The end of the input is no answer, and leaves the cursor behind the question.
        lines.once('close', () => {
          if (!isAnswered && !signal.aborted) process.stderr.write('\n');
          resolve('');
        });
        process.stderr.write(question);
      });
    } finally {
      lines.close();
      process.stdin.unref();
    }
  };
}
