import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/**
 * Drops what was typed before a question is shown: it can be no answer to it. The terminal is read by a way of its own that does
 * not wait, since what it holds back the stream does not know of yet.
 */
export function dropTypedAhead(stdin: ReadStream): void {
  const terminal = openTerminal();
  if (terminal === undefined) return;
  // A line that is not finished is handed out in this mode only, and would be the beginning of the answer.
  stdin.setRawMode(true);
  try {
    const rest = Buffer.alloc(4_096);
    while (readSync(terminal, rest) > 0);
  } catch {
    // Nothing is left to read.
  } finally {
    stdin.setRawMode(false);
    closeSync(terminal);
  }
  // What the stream has read already.
  while (stdin.read() !== null);
}

function openTerminal(): number | undefined {
  try {
    return openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Not every system has it under this name; what was typed stays there then.
    return undefined;
  }
}
