import { writeSync } from 'node:fs';
import { help } from '../command-line/help.js';
import { type McpOptions, parseOptions } from '../command-line/options.js';
import { projectFolders } from '../project/project-folders.js';
import { overStdio } from '../server/over-stdio.js';
import { Session } from '../session/session.js';
import { takeStdout } from './own-stdout.js';

/** What the program is started with. */
export interface Start {
  readonly version: string;
  /** The files that start a program which knows the command `guard`, after Node itself. */
  readonly program: readonly string[];
}

/** How long taking everything back may take when the client has gone, in milliseconds. */
const lastMs = 180_000;

/** Runs the server in this process and ends it when its client has gone. */
export async function runMcp(argv: readonly string[], start: Start): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void writeSync(1, help);
  if (argv.includes('--version') || argv.includes('-V')) return void writeSync(1, `${start.version}\n`);
  if (argv[0] === 'install') {
    const { install } = await import('../install/install.js');
    return finish(() => install(argv.slice(1), process.cwd()));
  }
  if (argv[0] === 'guard') {
    const { runGuardian } = await import('../work.js');
    return runGuardian(argv.slice(1));
  }
  let options: McpOptions;
  try {
    options = parseOptions(argv);
  } catch (thrown) {
    writeSync(2, `error: ${(thrown as Error).message}\n${help}`);
    process.exit(2);
  }
  await serve(options, start);
}

/** Prints what came of it, and says by the exit code whether it went well. */
function finish(work: () => { readonly text: string; readonly ok: boolean }): void {
  try {
    const { text, ok } = work();
    writeSync(ok ? 1 : 2, text);
    process.exitCode = ok ? 0 : 1;
  } catch (thrown) {
    writeSync(2, `error: ${(thrown as Error).message}\n${help}`);
    process.exitCode = 2;
  }
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
    log(`${http.host} can be reached by others, so ARGUS_MCP_TOKEN must be set`);
    process.exit(2);
  }
  const ended = signalled();
  const { url, close } = await overHttp(session, { ...http, token }).catch((thrown: Error) => {
    log(`it cannot listen on ${http.host}:${http.port}: ${thrown.message}`);
    process.exit(1);
  });
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
