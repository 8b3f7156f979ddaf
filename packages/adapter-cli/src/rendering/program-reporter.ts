import { appendFileSync } from 'node:fs';
import { printable } from '@argusai/core';
import type { ProgramFormat } from '../formats/program-format.js';
import type { Io } from '../io.js';
import { redactedStacks } from './problems/redacted-stacks.js';
import { reportOf } from './problems/report-of.js';
import type { Appearance, Reporter } from './reporter.js';

/** Shows a run to another program, in a format of its own. */
export function programReporter(
  format: ProgramFormat,
  io: Io,
  { debug }: Pick<Appearance, 'debug'>,
): Reporter {
  const { stdout, stderr } = io;
  return {
    begin({ kernel }) {
      const { event: write } = format;
      if (write) kernel.events.subscribe((event) => stdout.write(write(event)));
    },
    end(outcome) {
      const { text, exitCode = outcome.exitCode, addition } = format.result(outcome, io);
      stdout.write(text);
      if (addition) add(addition, stderr);
      const { notice } = outcome;
      if (notice) {
        const lines = [`error: ${notice.message}`, `code: ${notice.code}`, ...reportOf(notice)];
        stderr.write(`${lines.map(printable).join('\n')}\n`);
      }
      if (debug) stderr.write(redactedStacks(outcome, io));
      return exitCode;
    },
    endAtOnce(words) {
      if (words !== undefined) stderr.write(`${words}\n`);
    },
  };
}

/** What cannot be added is said and changes nothing: the result is on stdout. */
function add({ file, text }: { readonly file: string; readonly text: string }, stderr: Io['stderr']): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    stderr.write(`warning: ${file} could not be written: ${(error as Error).message}\n`);
  }
}
