import './zod-settings.js';
import { findFormat } from '../command-line/format.js';
import { main } from '../main.js';
import { interruptions } from './interruptions.js';
import { processOutput } from './process-output.js';

/** How long the last words may take to be read once a signal has come, in milliseconds. */
const lastWordsMs = 1_000;

/** What the program is started with. */
export interface Start {
  readonly version: string;
  /** Keeps what was compiled so far for the next start. */
  keepCompiled(): void;
}

/** Runs the program in this process and ends it, also when something that was started will not end. */
export async function runProcess(argv: readonly string[], { version, keepCompiled }: Start): Promise<void> {
  const interrupted = interruptions();
  const stdout = processOutput('stdout');
  const stderr = processOutput('stderr');
  if (findFormat(argv) !== 'pretty') divertStdout();
  const code = await main(argv, {
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    version,
    interrupted,
  });
  const impatience = interrupted.then(() => new Promise((resolve) => setTimeout(resolve, lastWordsMs)));
  await Promise.race([Promise.all([stdout.flush(), stderr.flush()]), impatience]);
  // A check uses nearly everything that other commands use, so what it needed is worth keeping.
  if (argv[0] === 'check' && code < 2) keepCompiled();
  process.exit(code);
}

/** Sends what plugins print to stderr: what is on stdout is for programs, and only ours. */
function divertStdout(): void {
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
}
