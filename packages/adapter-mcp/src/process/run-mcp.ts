import { writeSync } from 'node:fs';
import { helpOf, ownName } from '../command-line/help.js';
import { type McpOptions, parseOptions } from '../command-line/options.js';
import { projectFolders } from '../project/project-folders.js';
import { overStdio } from '../server/over-stdio.js';
import { Session } from '../session/session.js';
import { takeStdout } from './own-stdout.js';
import { tellError } from './tell-error.js';

/** What the program is started with. */
export interface Start {
  readonly version: string;
  /** How people start it: `argus mcp`, or by its own name where this is left out. */
  readonly name?: string;
  /** The files that start a program which knows the command `guard`, after Node itself. */
  readonly program: readonly string[];
}

/** How long taking everything back may take when the client has gone, in milliseconds. */
const lastMs = 180_000;

/** Runs the server in this process and ends it when its client has gone. */
export async function runMcp(argv: readonly string[], start: Start): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void writeSync(1, helpOf(start.name));
  if (argv.includes('--version') || argv.includes('-V')) return void writeSync(1, `${start.version}\n`);
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
  await serve(options, start);
}

/** Shows or writes what hosts have to be told, and says by the exit code whether it went well. */
async function runInstall(argv: readonly string[], { name = ownName }: Start): Promise<void> {
  const { install, usageInvalid } = await import('../work.js');
  const { text, error, isEnvelope } = install(argv, process.cwd());
  writeSync(1, text);
  if (!error) return;
  const isUsage = error.code === usageInvalid.code;
  if (!isEnvelope) tellError(error, text !== '' ? 'put what is printed there in yourself' : `${name} --help`);
  process.exitCode = isUsage ? 2 : 1;
}

async function serve(options: McpOptions, { version, program }: Start): Promise<void> {
  const stdout = takeStdout();
  const log = (line: string) => void process.stderr.write(`argus-mcp: ${line}\n`);
  const { readOnly, patienceMs } = options;
  const session = new Session({
    ...{ readOnly, patienceMs, version, log, env: process.env, guardian: program },
    folders: projectFolders(options, process.env, process.cwd()),
  });
  // A plugin that lets something slip must not cost everybody else's calls.
  for (const slip of ['uncaughtException', 'unhandledRejection']) {
    process.on(slip, async (thrown: unknown) => {
      const { openError } = await import('../work.js');
      log(`left unhandled by a plugin: ${openError(thrown, process.env).message}`);
    });
  }
  const { http } = options;
  if (http) await untilSignalled(session, http);
  else await Promise.race([signalled(), overStdio(session, stdout)]);
  setTimeout(() => process.exit(1), lastMs).unref();
  await session.end();
  process.exit(0);
}

/** Serves over HTTP until a signal comes. What others can reach needs a token. */
async function untilSignalled(session: Session, http: { host: string; port: number }): Promise<void> {
  const { log, env } = session.surroundings;
  const { isLoopback, overHttp } = await import('../server/over-http.js');
  const token = env.ARGUS_MCP_TOKEN;
  if (!isLoopback(http.host) && !token) {
    const { usageInvalid } = await import('../work.js');
    const message = `${http.host} can be reached by others, so there must be a token`;
    tellError({ message, code: usageInvalid.code }, 'set ARGUS_MCP_TOKEN, or leave out --host');
    process.exit(2);
  }
  const ended = signalled();
  const { url, close } = await overHttp(session, { ...http, token }).catch(
    async (thrown: NodeJS.ErrnoException) => {
      const { portConflict, usageInvalid } = await import('../work.js');
      const { code } = thrown.code === 'EADDRINUSE' ? portConflict : usageInvalid;
      const message = `It cannot listen on ${http.host}:${http.port}: ${thrown.message}`;
      tellError({ message, code }, 'argus-mcp --http with another --port or --host');
      process.exit(1);
    },
  );
  log(`serves at ${url}`);
  await ended;
  await close();
}

/** Settles with the first signal; whoever sends a second one does not want to wait. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(1));
        resolve();
      });
    }
  });
}
