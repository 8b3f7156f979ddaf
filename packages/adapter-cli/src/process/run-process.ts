import './zod-settings.js';
import { sep } from 'node:path';
import { findFormat } from '../command-line/format.js';
import { usageError } from '../command-line/usage-error.js';
import { exitCodeOfSignal } from '../exit-code.js';
import type { Io } from '../io.js';
import { main } from '../main.js';
import { commandStreams } from './command-streams.js';
import { currentFolder } from './current-folder.js';
import { interruptions } from './interruptions.js';
import { lastResort } from './last-resort.js';
import { leftUnhandled } from './left-unhandled.js';
import { lostOutput } from './lost-output.js';
import { processOutput } from './process-output.js';
import { terminalPrompt } from './prompt.js';
import { untilHeldUp } from './until-held-up.js';

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
  // Whatever goes wrong from here on, also where nothing can be said about it any more, does not look like a pass.
  process.exitCode = 1;
  const stdout = processOutput('stdout');
  const stderr = processOutput('stderr');
  const secrets = new Set<string>();
  let sayLastWords = (): void => undefined;
  const folder = currentFolder();
  const surroundings = { env: process.env, secrets, cwd: folder ?? sep, version, program };
  const unhandled = leftUnhandled(argv, surroundings);
  const heldUp = untilHeldUp(argv, ({ message }) => stderr.write(`warning: ${message}\n`));
  const interrupted = interruptions({
    heldUp: heldUp.error,
    warn: (thrown) => stderr.write(unhandled(thrown)),
    beforeHaste: () => sayLastWords(),
  });
  const whenHasty: Io['whenHasty'] = (say) => {
    sayLastWords = say;
  };
  const streams = commandStreams(interrupted);
  const io = {
    stdout,
    stderr,
    ...surroundings,
    interrupted,
    whenHasty,
    streams,
    opened: heldUp.opened,
    wasCutOff: heldUp.wasCutOff,
    prompt: terminalPrompt,
  };
  // A shell reads what completion prints, so it must be nothing else.
  if (findFormat(argv) !== 'pretty' || argv[0] === 'completion') divertStdout();
  const finish = refuseSilence(argv, io);
  const work = folder === undefined ? Promise.reject(folderGone()) : main(argv, io);
  const result = await work.catch((thrown) => lastResort(argv, io, thrown));
  const isRead = Promise.all([stdout.flush(), stderr.flush()]).then(() => result);
  const code = await Promise.race([isRead, cutShort(interrupted)]);
  // These use nearly everything that other commands use, so what they needed is worth keeping.
  if (['check', 'setup', 'run'].includes(argv[0] ?? '') && code < 2) keepCompiled();
  finish();
  if (stdout.lost()) stderr.write(lostOutput);
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

/** The error of a program that was started nowhere: whatever it would look at, it would not be what was meant. */
function folderGone(): Error {
  return usageError('The folder that argus was started in is not there any more', { reason: 'folder-gone' });
}

/** Somebody may end the process from inside, with exit code 0 and nothing said. That must not look like a pass. */
function refuseSilence(argv: readonly string[], io: Io): () => void {
  let finished = false;
  process.once('exit', (code) => {
    // Whoever sends a second signal wants it to end at once, and knows what that means.
    if (finished || code > 128) return;
    const message = 'A plugin, or the configuration, ended the process before the work was done';
    process.exitCode = lastResort(argv, io, new Error(message));
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
