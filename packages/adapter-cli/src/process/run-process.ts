import './zod-settings.js';
import { findFormat } from '../command-line/format.js';
import { main } from '../main.js';
import { interruptions } from './interruptions.js';
import { processOutput } from './process-output.js';

/** How long the last words may take to be read once a signal has come, in milliseconds. */
const lastWordsMs = 1_000;

/** Runs the program in this process and ends it, also when something that was started will not end. */
export async function runProcess(argv: readonly string[], version: string): Promise<void> {
  const interrupted = interruptions();
  const stdout = processOutput(process.stdout);
  const stderr = processOutput(process.stderr);
  if (findFormat(argv) !== 'pretty') divertStdout();
  const code = await main(argv, { stdout, stderr, env: process.env, cwd: process.cwd(), version, interrupted });
  const impatience = interrupted.then(() => new Promise((resolve) => setTimeout(resolve, lastWordsMs)));
  await Promise.race([Promise.all([stdout.flush(), stderr.flush()]), impatience]);
  process.exit(code);
}

/** Sends what plugins print to stderr: what is on stdout is for programs, and only ours. */
function divertStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}
