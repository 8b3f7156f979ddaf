import './zod-settings.js';
import { openError } from '@argusai/core';
import { findFormat } from '../command-line/format.js';
import { withCrashReport } from '../crash-report.js';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Io } from '../io.js';
import { main } from '../main.js';
import { failure } from '../outcome.js';
import { createReporter } from '../rendering/reporter.js';
import { commandStreams } from './command-streams.js';
import { interruptions } from './interruptions.js';
import { processOutput } from './process-output.js';
import { terminalPrompt } from './prompt.js';

/** How long the last words may take to be read once a signal has come, in milliseconds. */
const lastWordsMs = 1_000;

/** What the program is started with. */
export interface Start {
  readonly version: string;
  /** The file that starts it. */
  readonly program: string;
  /** Keeps what was compiled so far for the next start. */
  keepCompiled(): void;
}

/** Runs the program in this process and ends it, also when something that was started will not end. */
export async function runProcess(
  argv: readonly string[],
  { version, program, keepCompiled }: Start,
): Promise<void> {
  const stdout = processOutput('stdout');
  const stderr = processOutput('stderr');
  let sayLastWords = (): void => undefined;
  const interrupted = interruptions({
    warn: (message) => stderr.write(`warning: left unhandled by a plugin: ${message}\n`),
    beforeHaste: () => sayLastWords(),
  });
  const whenHasty: Io['whenHasty'] = (say) => {
    sayLastWords = say;
  };
  const streams = commandStreams(interrupted);
  const surroundings = { env: process.env, cwd: process.cwd(), version, program };
  const io = {
    ...{ stdout, stderr, ...surroundings, interrupted, whenHasty, streams, prompt: terminalPrompt },
  };
  // A shell reads what completion prints, so it must be nothing else.
  if (findFormat(argv) !== 'pretty' || argv[0] === 'completion') divertStdout();
  const finish = refuseSilence(argv, io);
  const result = await main(argv, io).catch((thrown) => lastResort(argv, io, thrown));
  const isRead = Promise.all([stdout.flush(), stderr.flush()]).then(() => result);
  const code = await Promise.race([isRead, cutShort(interrupted)]);
  // These use nearly everything that other commands use, so what they needed is worth keeping.
  if (['check', 'setup', 'run'].includes(argv[0] ?? '') && code < 2) keepCompiled();
  finish();
  if (stdout.lost()) stderr.write('error: what was printed could not be written\n');
  process.exit(stdout.lost() ? code || 1 : code);
}

/** A signal leaves a reader who takes his time only a moment; what he has not read by then is lost, so it was the signal that ended it. */
function cutShort(interrupted: Io['interrupted']): Promise<number> {
  return new Promise((resolve) => {
    interrupted.then((interruption) => {
      if (interruption.kind !== 'signal') return;
      setTimeout(resolve, lastWordsMs, exitCodeOfSignal(interruption.number));
    });
  });
}

/** Says that something broke where nothing should: in showing the result itself. */
function lastResort(argv: readonly string[], io: Io, thrown: unknown): number {
  const outcome = withCrashReport(failure(openError(thrown, io.env), thrown), argv, io);
  const appearance = { color: !argv.includes('--no-color'), debug: argv.includes('--debug') };
  return createReporter(findFormat(argv), io, appearance).end(outcome);
}

/** Somebody may end the process from inside, with exit code 0 and nothing said. That must not look like a pass. */
function refuseSilence(argv: readonly string[], io: Io): () => void {
  let finished = false;
  process.once('exit', (code) => {
    // Whoever sends a second signal wants it to end at once, and knows what that means.
    if (finished || code > 128) return;
    process.exitCode = lastResort(argv, io, new Error('A plugin ended the process before the work was done'));
  });
  return () => {
    finished = true;
  };
}

/** Sends what plugins print to stderr: what is on stdout is for programs, and only ours. */
function divertStdout(): void {
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
}
