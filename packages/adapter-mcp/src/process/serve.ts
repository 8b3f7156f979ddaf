import type { McpOptions } from '../command-line/options.js';
import { projectFolders } from '../project/project-folders.js';
import { overStdio } from '../server/over-stdio.js';
import { Session } from '../session/session.js';
import { protocolStream } from './protocol-stream.js';
import type { Start } from './run-mcp.js';
import { tellEarlyEnd } from './tell-early-end.js';
import { tellError } from './tell-error.js';

/** How long taking everything back may take when the client has gone, in milliseconds. */
const lastMs = 180_000;

/** Where the protocol goes: to a descriptor that nobody else has, or over HTTP. */
export type Way = { readonly fd: number } | NonNullable<McpOptions['http']>;

/** Serves in this process and ends it when its client has gone. */
export async function serve(options: McpOptions, { version, program }: Start, way: Way): Promise<void> {
  const log = (line: string) => void process.stderr.write(`argus-mcp: ${line}\n`);
  const { readOnly, patienceMs } = options;
  const session = new Session({
    readOnly,
    patienceMs,
    version,
    log,
    env: process.env,
    secrets: new Set(),
    guardian: program,
    folders: projectFolders(options, process.env, process.cwd()),
  });
  const tell = async (thrown: unknown) => {
    const { openError } = await import('../work.js');
    const { message } = openError(thrown, process.env, session.surroundings.secrets);
    log(`left unhandled by a plugin: ${message}`);
  };
  // A plugin that lets something slip must not cost everybody else's calls. As on the command line they tell of a crash, while a
  // rejection that nobody waits for is only logged.
  process.on('uncaughtException', (thrown) => {
    session.crashed(thrown);
    void tell(thrown);
  });
  process.on('unhandledRejection', tell);
  if ('fd' in way) {
    const isOver = tellEarlyEnd(session);
    await Promise.race([signalled(), overStdio(session, protocolStream(way.fd))]);
    isOver();
  } else await untilSignalled(session, way);
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
      process.exit(code === usageInvalid.code ? 2 : 1);
    },
  );
  log(`serves at ${url}`);
  const isOver = tellEarlyEnd(session);
  await ended;
  isOver();
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
