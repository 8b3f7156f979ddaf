import { isatty } from 'node:tty';
import type { CommandStreams } from '@argusai/core';
import type { Interruption } from '../io.js';

/**
 * Gives commands the streams of this process as they are, so that a terminal stays one and no byte is touched. Where stdout
 * is for programs, what they print there goes to stderr.
 */
export function commandStreams(
  interrupted: Promise<Interruption>,
): (stdoutIsOurs: boolean) => CommandStreams {
  let interruption: Interruption | undefined;
  interrupted.then((one) => {
    interruption = one;
  });
  return (stdoutIsOurs) => ({
    get stdio() {
      openOwnStreams();
      return ['inherit', stdoutIsOurs ? 2 : 'inherit', 'inherit'] as const;
    },
    isToldToo() {
      // A terminal sends these to everybody in its foreground, so a command that got them needs no other.
      const isOfTerminal = interruption?.kind === 'signal' && interruption.name !== 'SIGTERM';
      return isOfTerminal && [0, 1, 2].some((descriptor) => isatty(descriptor));
    },
  });
}

/**
 * Node makes a pipe non-blocking when it opens its own stream on it, and a command that shares the pipe would lose what it
 * writes when there is no room. Starting a command makes the pipe blocking again, so the streams are opened before that.
 */
function openOwnStreams(): void {
  void process.stdout;
  void process.stderr;
}
