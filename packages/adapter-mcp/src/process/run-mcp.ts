import { writeSync } from 'node:fs';
import { helpOf, ownName } from '../command-line/help.js';
import { type McpOptions, parseOptions } from '../command-line/options.js';
import { isWorker } from '../supervision/is-worker.js';
import { tellError } from './tell-error.js';

/** What the program is started with. */
export interface Start {
  readonly version: string;
  /** How people start it: `argus mcp`, or by its own name where this is left out. */
  readonly name?: string;
  /** The files that start a program which knows the command `guard`, after Node itself. */
  readonly program: readonly string[];
}

/** Runs the server until its client has gone. */
export async function runMcp(argv: readonly string[], start: Start): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void writeSync(1, helpOf(start.name));
  if (argv.includes('--version') || argv.includes('-V')) return void writeSync(1, `${start.version}\n`);
  if (!startedSomewhere()) {
    const { usageInvalid } = await import('../work.js');
    const message = 'The folder that it was started in is not there any more';
    tellError({ message, code: usageInvalid.code }, 'start it in a folder that is there');
    process.exit(2);
  }
  if (argv[0] === 'install') return runInstall(argv.slice(1), start);
  if (argv[0] === 'guard') {
    const { runGuardian } = await import('../work.js');
    return runGuardian(argv.slice(1));
  }
  let options: McpOptions;
  try {
    options = parseOptions(argv);
  } catch (thrown) {
    const { unknownWord, usageInvalid, writable } = await import('../work.js');
    const message = unknownWord(argv, writable) ?? (thrown as Error).message;
    tellError({ message, code: usageInvalid.code }, `${start.name ?? ownName} --help`);
    process.exit(2);
  }
  if (isWorker(process.env)) {
    const { serveWork } = await import('../work.js');
    return serveWork(options, start);
  }
  const { serve } = await import('../served.js');
  await serve(options, start);
}

/** Whether the folder that the program was started in is still there. */
function startedSomewhere(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    // Node asks the system for its path, and has none to give.
    return false;
  }
}

/** Shows or writes what hosts have to be told, and says by the exit code whether it went well. */
async function runInstall(argv: readonly string[], { name = ownName }: Start): Promise<void> {
  const { install, projectRefused, usageInvalid } = await import('../work.js');
  const { text, error, isEnvelope } = install(argv, process.cwd());
  writeSync(1, text);
  if (!error) return;
  const isUsage = error.code === usageInvalid.code;
  const next =
    error.code === projectRefused.code
      ? 'name the folder of the project with --project DIR'
      : text !== ''
        ? 'put what is printed there in yourself'
        : `${name} --help`;
  if (!isEnvelope) tellError(error, next);
  process.exitCode = isUsage ? 2 : 1;
}
