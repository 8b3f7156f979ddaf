import type { Ask } from '@argusai/core';
import type { Format } from '../command-line/format.js';
import { programFormats } from '../formats/program-formats.js';
import type { Io } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { prettyReporter } from './pretty-reporter.js';
import { programReporter } from './program-reporter.js';

/** Shows a run while it goes on and when it is over. */
export interface Reporter {
  /** The call is about to be made; its kernel tells what happens. */
  begin(call: Call): void | Promise<void>;
  /** How to ask the person who gave the order; missing where nobody can be asked. */
  ask?(): Ask | undefined;
  /** It is over, one way or another. Gives the exit code that whoever reads this expects. */
  end(outcome: Outcome): number;
  /** The program ends before the work has come to its end: nothing is drawn any more, and these are its last words. */
  endAtOnce(words: string | undefined): void;
}

/** What people may say about how they want to see things. */
export interface Appearance {
  readonly color: boolean;
  readonly debug: boolean;
}

/** Makes the reporter of a format. */
export function createReporter(format: Format, io: Io, appearance: Appearance): Reporter {
  if (format === 'pretty') return prettyReporter(io, appearance);
  return programReporter(programFormats[format], io, appearance);
}
