import type { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Session } from '../session/session.js';
import { buildServer } from './build-server.js';
import { onlyMessages } from './only-messages.js';

/** Serves over stdin and stdout, in whichever era the client speaks. Settles when the client has gone. */
export async function overStdio(session: Session, stdout: Writable): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    // Before the connection is closed, which would cancel the calls too but could not say why.
    const leave = () => {
      session.leave();
      resolve();
    };
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, leave);
    stdout.once('error', leave);
  });
  const messages = process.stdin.pipe(
    onlyMessages((refused) => {
      session.surroundings.log(`a line that is no message: ${refused.error.message}`);
      stdout.write(`${JSON.stringify(refused)}\n`);
    }),
  );
  const server = serveStdio(() => buildServer(session), {
    transport: new StdioServerTransport(messages, stdout),
    onerror: (error) => session.surroundings.log(error.message),
  });
  await gone;
  await server.close();
}
