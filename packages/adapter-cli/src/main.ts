import { type Ask, openError, runOperation, type Surface } from '@argusai/core';
import { takeCommand } from './command-line/command.js';
import { findFormat, requireAnswer, requireFormat } from './command-line/format.js';
import { ownArguments, type SplitArguments, splitArguments } from './command-line/global-options.js';
import { type Help, help } from './command-line/help.js';
import { parseCall } from './command-line/parse-call.js';
import { usageError } from './command-line/usage-error.js';
import { wordingOf } from './command-line/wording.js';
import { completion } from './completion/completion.js';
import { withCrashNotice } from './crash-notice.js';
import { withCrashReport } from './crash-report.js';
import { untilInterrupted } from './interruption.js';
import type { Interruption, Io } from './io.js';
import { openBareFolder, openFor, openProject } from './open-project.js';
import { answer, type Call, failure, type Outcome } from './outcome.js';
import { createReporter } from './rendering/reporter.js';

/** Runs the program: understands the arguments, opens the project, runs the operation, shows what came of it. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const own = ownArguments(argv);
  const appearance = { color: !own.includes('--no-color'), debug: own.includes('--debug') };
  const reporter = createReporter(findFormat(argv), io, appearance);
  let current: Call | undefined;
  const begin = async (call: Call) => {
    current = call;
    if (isEndless(call)) io.stdout.heedReader?.();
    await reporter.begin(call);
  };
  io.whenHasty?.(() => reporter.endAtOnce(leftBy(current)));
  const outcome = await untilInterrupted(
    { ...io, interrupted: Promise.race([io.interrupted, nobodyLeft(io, () => current)]) },
    (signal) => attempt(argv, io, { begin, ask: () => reporter.ask?.() }, signal),
    () => takesBack(current),
  );
  return reporter.end(withCrashNotice(withCrashReport(outcome, argv, io)));
}

/** Settles when nobody is left to see what has no end. Other work is done all the same: its exit code counts too. */
async function nobodyLeft({ stdout }: Io, call: () => Call | undefined): Promise<Interruption> {
  await stdout.unread;
  const isOver = stdout.unread !== undefined && isEndless(call());
  return isOver ? { kind: 'unread' } : new Promise(() => undefined);
}

function isEndless(call: Call | undefined): boolean {
  return call?.command.view.isEndless?.(call.input) === true;
}

/** Whether there may be something to take back when it is cancelled; what only looks or shows has touched nothing. */
function takesBack(call: Call | undefined): boolean {
  if (!call?.command.operation.rollsBack) return false;
  return call.command.operation.effectsOf?.(call.input).readOnly !== true;
}

/** What work that is ended at once may leave, and what to do about it; nothing where it leaves nothing. */
function leftBy(call: Call | undefined): string | undefined {
  if (!call || !takesBack(call)) return undefined;
  const { leaves = 'What was begun may be half done; argus status shows it' } = call.command.operation;
  return `Stopped at once. ${leaves}`;
}

/** How the one who shows things takes part in a call. */
interface Stage {
  begin(call: Call): Promise<void>;
  ask(): Ask | undefined;
}

/** What the arguments ask for. Whatever is thrown on the way is an outcome too. */
async function attempt(argv: readonly string[], io: Io, stage: Stage, signal: AbortSignal): Promise<Outcome> {
  try {
    const split = splitArguments(argv);
    const { version, help } = split.options;
    if (version) return answer(`${io.version}\n`, { version: io.version });
    if (help || split.command === 'help') return await explain(split, io);
    if (split.command === 'completion') return await complete(split, io);
    // The server is another program, started before any option is looked at.
    if (split.command === 'mcp')
      throw usageError('mcp has to come first, and its options after it: argus mcp');
    if (split.command === undefined) throw usageError('No command is given');
    return await run(split.command, split, io, stage, signal);
  } catch (thrown) {
    return failure(openError(thrown, io.env, io.secrets), thrown);
  }
}

async function explain({ command, rest, options }: SplitArguments, io: Io): Promise<Outcome> {
  const words = command === undefined || command === 'help' ? rest : [command, ...rest];
  // Of a command that is typed out with --help, the rest of the line does not matter.
  const isWhole = command === 'help';
  const { text, textAt, data }: Help = await help(words, () => openProject(io, options), isWhole);
  return answer(text, { help: text, ...data }, textAt);
}

function complete({ rest, options }: SplitArguments, io: Io): Promise<Outcome> {
  const project = () => openProject(io, options);
  return completion(rest, { project, folder: () => openBareFolder(io, options) });
}

async function run(
  name: string,
  { options, rest }: SplitArguments,
  io: Io,
  stage: Stage,
  signal: AbortSignal,
): Promise<Outcome> {
  const project = await openFor(name, io, options);
  io.opened?.(project.kernel);
  try {
    const { command, rest: args } = takeCommand(project.kernel, [name, ...rest]);
    requireFormat(command, options.format);
    const call = { kernel: project.kernel, command, ...parseCall(command, args) };
    requireAnswer(call, options.format);
    await stage.begin(call);
    const streams = io.streams?.(options.format !== 'pretty');
    const ask = command.operation.effects.destructive ? stage.ask() : undefined;
    return await perform(call, { ...(streams ? { streams } : {}), ...(ask ? { ask } : {}) }, signal);
  } finally {
    await project.close();
  }
}

async function perform(call: Call, surface: Surface, signal: AbortSignal): Promise<Outcome> {
  const { kernel, command, input, own } = call;
  let thrown: unknown;
  const broken: { by: string; thrown: unknown }[] = [];
  const envelope = await runOperation(kernel, command.operation, input, signal, {
    ...surface,
    wording: wordingOf(command),
    onThrown(problem, by) {
      if (by === undefined) thrown = problem;
      else broken.push({ by, thrown: problem });
    },
  });
  if (!envelope.ok) return { ...failure(envelope.error, thrown), envelope, call, broken };
  return { envelope, exitCode: command.view.exitCode(envelope.data, own, input), call, broken };
}
