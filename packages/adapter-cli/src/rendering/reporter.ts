import type { Ask } from '@argusai/core';
import type { Format } from '../command-line/format.js';
import type { Io } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { prettyReporter } from './pretty-reporter.js';
import { redactedStack } from './redacted-stack.js';

/** Shows a run while it goes on and when it is over. */
export interface Reporter {
  /** The call is about to be made; its kernel tells what happens. */
  begin(call: Call): void;
  /** How to ask the person who gave the order; missing where nobody can be asked. */
  ask?(): Ask | undefined;
  /** It is over, one way or another. */
  end(outcome: Outcome): void;
}

/** What people may say about how they want to see things. */
export interface Appearance {
  readonly color: boolean;
  readonly debug: boolean;
}

/** Makes the reporter of a format. */
export function createReporter(format: Format, io: Io, appearance: Appearance): Reporter {
  if (format === 'pretty') return prettyReporter(io, appearance);
  const line = (value: unknown) => io.stdout.write(`${JSON.stringify(value)}\n`);
  return {
    begin({ kernel }) {
      if (format === 'ndjson') kernel.events.subscribe(line);
    },
    end({ envelope, notice, thrown }) {
      line(format === 'ndjson' ? { type: 'result', ...envelope } : envelope);
      if (notice) io.stderr.write(`error: ${notice.message}\ncode: ${notice.code}\n`);
      if (appearance.debug && thrown instanceof Error) io.stderr.write(`${redactedStack(thrown, io.env)}\n`);
    },
  };
}
