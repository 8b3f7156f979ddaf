import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endMarked, newMark } from '../environment/processes/end-marked.js';
import { endTree } from '../environment/processes/process-tree.js';
import type { CommandStreams } from '../model/command-streams.js';
import { messageOf } from '../model/message-of.js';
import type { Redactor } from '../redact/redactor.js';
import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';
import { OutputTail } from './output-tail.js';
import type { SuiteCommand } from './suite-command.js';

/** How long things may take, in milliseconds. */
const patience = {
  /** For a command that was interrupted by its terminal, to end by itself. */
  interrupted: 30_000,
  /** For the word of a terminal that has ended a command to reach this process too. */
  told: 250,
  /** For a command that was asked to end. */
  asked: 10_000,
  /** For the rest of the output of a command that has ended, which others may hold open. */
  output: 500,
};

/** How a command ended. */
export interface CommandEnd {
  /** As a shell has it: 127 when there is no such command, 126 when it cannot be run. Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Why it could not be run. */
  readonly problem?: string;
  /** The end of what it printed, where that went nowhere else. */
  readonly output?: ReturnType<OutputTail['report']>;
}

/** What a command is run with. */
export interface CommandOptions {
  readonly cwd: string;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, 'text' | 'longest'>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly streams?: CommandStreams | undefined;
  /** Is told the number of its process; gives what is called when that has ended. It must not throw. */
  readonly onStart?: (pid: number) => Promise<() => Promise<void>>;
  /** Is told of each process that the command has left running and that is ended. */
  readonly onLeft?: (pid: number) => void;
}

/** What a terminal tells everybody in its foreground, of whom this process may hear it last. */
const fromTerminals: readonly (NodeJS.Signals | null)[] = ['SIGINT', 'SIGHUP'];

type Exit = Pick<CommandEnd, 'exitCode' | 'signal' | 'problem'>;

/**
 * Runs a command to its end, which comes early when the time is over or the work is cancelled. What it has left in its group is
 * ended then. It never throws.
 */
export async function runCommand(
  { argv, env }: SuiteCommand,
  { cwd, clock, redactor, signal, timeoutMs, streams, onStart, onLeft }: CommandOptions,
): Promise<CommandEnd> {
  const tail = streams ? undefined : new OutputTail(redactor);
  const mark = newMark();
  const [file = '', ...args] = argv;
  let child: ChildProcess;
  try {
    const stdio = streams ? [...streams.stdio] : (['ignore', 'pipe', 'pipe'] as const);
    child = spawn(file, args, { cwd, env: { ...process.env, ...env, ...mark }, stdio: [...stdio] });
  } catch (thrown) {
    return { ...notRun(file, thrown), timedOut: false };
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => tail?.add(chunk));
  const exited = exitOf(child, file);
  const started = child.pid === undefined ? undefined : onStart?.(child.pid);

  const over = new AbortController();
  const reason = await Promise.race([
    exited,
    aborted(signal, over.signal),
    ...(timeoutMs === undefined ? [] : [limit(clock, timeoutMs, over.signal)]),
  ]);
  if (streams && typeof reason === 'object' && fromTerminals.includes(reason.signal))
    await within(clock, patience.told, aborted(signal, over.signal));
  over.abort();
  if (reason === 'aborted' && streams?.isToldToo()) await within(clock, patience.interrupted, exited);
  if (typeof reason === 'string' && isRunning(child)) await endTree(clock, child.pid ?? 0, patience.asked);
  const exit = await exited;
  if (child.pid !== undefined) await endMarked(clock, mark, patience.asked, onLeft);
  await (await started)?.();
  if (tail && child.pid !== undefined) await within(clock, patience.output, closed(child));
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  return { ...exit, timedOut: reason === 'late', ...(tail ? { output: tail.report() } : {}) };
}

function exitOf(child: ChildProcess, file: string): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notRun(file, error)));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function notRun(file: string, thrown: unknown): Exit {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const message = messageOf(thrown);
  if (code === 'ENOENT') return { exitCode: 127, signal: null, problem: `There is no command ${file}` };
  return { exitCode: 126, signal: null, problem: `${file} cannot be run: ${message}` };
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

async function aborted(signal: AbortSignal, over: AbortSignal): Promise<'aborted'> {
  if (!signal.aborted) await once(signal, 'abort', { signal: over }).catch(() => undefined);
  return 'aborted';
}

async function limit(clock: Clock, ms: number, over: AbortSignal): Promise<'late'> {
  await pause(clock, ms, over).catch(() => undefined);
  return 'late';
}

async function closed(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
  await Promise.all(open.map((stream) => stream && once(stream, 'close').catch(() => undefined)));
}

async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, pause(clock, ms, over.signal).catch(() => undefined)]);
  over.abort();
}
