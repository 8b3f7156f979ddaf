import { openError, printable } from '@argusai/core';
import { findFormat } from '../command-line/format.js';
import { withCrashReport } from '../crash-report.js';
import type { Io } from '../io.js';
import { failure } from '../outcome.js';
import { createReporter } from '../rendering/reporter.js';

/**
 * Says that something broke where nothing should, such as in showing the result, and gives the exit code of that. It never
 * throws: nobody is left to catch it, so each way that breaks in turn leaves a simpler one.
 */
export function lastResort(argv: readonly string[], io: Io, thrown: unknown): number {
  const say = [
    () => show(argv, io, thrown, true),
    () => show(argv, io, thrown, false),
    () => {
      io.stderr.write(`error: ${printable(openError(thrown, io.env, io.secrets).message)}\n`);
      return 1;
    },
    () => {
      // What was thrown cannot be looked at without its secrets, so it is not quoted.
      io.stderr.write('error: something failed, and so did telling what\n');
      return 1;
    },
  ];
  for (const way of say) {
    try {
      // A pass is no answer to something that was thrown.
      return way() || 1;
    } catch {
      // The next way needs less of what has just failed.
    }
  }
  return 1;
}

function show(argv: readonly string[], io: Io, thrown: unknown, withReport: boolean): number {
  const crash = failure(openError(thrown, io.env, io.secrets), thrown);
  const outcome = withReport ? withCrashReport(crash, argv, io) : crash;
  const appearance = { color: !argv.includes('--no-color'), debug: argv.includes('--debug') };
  return createReporter(findFormat(argv), io, appearance).end(outcome);
}
