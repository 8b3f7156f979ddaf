import { closeSync } from 'node:fs';
import { LastLines } from '@argusai/core';
import type { OutputLine } from './docker-client.js';
import { namelessFile } from './nameless-file.js';

/** How a command ended. */
export interface Ended {
  /** Null when it could not be started or was ended by a signal. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The system's code when it could not be started, such as `ENOENT`. */
  readonly systemCode?: string;
}

/** What a command is started with. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command, at first politely. */
  readonly signal: AbortSignal;
  readonly input?: string | undefined;
  /** Told of every line. The output is then not kept, only the end of stderr. */
  readonly onLine?: ((line: string, stream: OutputLine['stream']) => void) | undefined;
  /** Told of the process that runs it. */
  readonly onStart?: ((pid: number) => void) | undefined;
}

/** A client that has been told to end does so at once; one that does not is beyond asking. */
const killAfterMs = 500;

/** How much of the end of stderr is kept of a command that is followed. */
const keptOfStderr = 64 * 1024;

/** Runs the user's own Docker client to its end. */
export async function runDocker(args: readonly string[], start: Start): Promise<Ended> {
  const { env, signal, input, onLine, onStart } = start;
  const { execa } = await import('execa');
  signal.throwIfAborted();
  const stdin = input === undefined ? undefined : await namelessFile(input);
  const tail = new LastLines(keptOfStderr);
  const subprocess = execa('docker', args, {
    env,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    cancelSignal: signal,
    forceKillAfterDelay: killAfterMs,
    // It takes any open file; its types know of a few numbers only.
    stdin: (stdin ?? 'ignore') as 0 | 'ignore',
    ...(onLine && {
      buffer: false,
      stdout: passedTo((line) => onLine(line, 'stdout')),
      stderr: passedTo((line) => {
        tail.add(`${line}\n`);
        onLine(line, 'stderr');
      }),
    }),
  });
  if (stdin !== undefined) closeSync(stdin);
  if (subprocess.pid !== undefined) onStart?.(subprocess.pid);
  const ended = subprocess.then(
    ({ exitCode, code, stdout, stderr }): Ended => ({
      exitCode: exitCode ?? null,
      stdout: typeof stdout === 'string' ? stdout : '',
      stderr: typeof stderr === 'string' ? stderr : String(tail),
      ...(typeof code === 'string' ? { systemCode: code } : {}),
    }),
  );
  // A helper of the client may outlive it and keep its output open; a command that was ended is not waited for longer.
  const gone = new Promise<Ended>((resolve) => {
    subprocess.once('exit', () => {
      if (signal.aborted) resolve({ exitCode: null, stdout: '', stderr: String(tail) });
    });
  });
  return Promise.race([ended, gone]);
}

/** A stage of a stream of lines that hands them over and passes nothing on. */
function passedTo(listener: (line: string) => void) {
  return function* (line: unknown) {
    listener(String(line));
    yield* [];
  };
}
