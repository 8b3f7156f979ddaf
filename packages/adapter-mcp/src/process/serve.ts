import { resolve } from 'node:path';
import type { McpOptions } from '../command-line/options.js';
import { overStdio } from '../server/over-stdio.js';
import { Supervisor } from '../supervision/supervisor.js';
import { protocolStream } from './protocol-stream.js';
import type { Start } from './run-mcp.js';

const stdout = 1;

/** Talks to clients in this process and has the work done in another, until they have gone. */
export async function serve(options: McpOptions, { version }: Start): Promise<void> {
  const log = (line: string) => void process.stderr.write(`argus-mcp: ${line}\n`);
  const supervisor = new Supervisor(options.silenceMs);
  supervisor.begin();
  const { http, socket, readOnly } = options;
  const served = { version, readOnly, log, offer: supervisor };
  const ended = signalled(() => supervisor.kill());
  if (http || socket !== undefined) {
    const { listen } = await import('./listen.js');
    const { url, close } = await listen(served, http ?? { socket: resolve(socket ?? '') });
    log(`serves at ${url}`);
    await ended;
    await close();
  } else await Promise.race([ended, overStdio(served, protocolStream(stdout), () => supervisor.leave())]);
  process.exit(await supervisor.end());
}

/** Settles with the first signal; whoever sends a second one does not want to wait. */
function signalled(onSecond: () => void): Promise<void> {
  return new Promise((done) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => {
        process.once(name, () => {
          onSecond();
          process.exit(1);
        });
        done();
      });
    }
  });
}
