import type { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from './build-server.js';
import type { Serving } from './offer.js';
import { onlyMessages } from './only-messages.js';

/** Serves over stdin and stdout, in whichever era the client speaks. Says when the client goes away, and settles then. */
export async function overStdio(served: Serving, stdout: Writable, onLeave: () => void): Promise<void> {
  const { log } = served;
  const gone = new Promise<void>((resolve) => {
    // Before the connection is closed, which would cancel the calls too but could not say why.
    const leave = () => {
      onLeave();
      resolve();
    };
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, leave);
    stdout.once('error', leave);
  });
  const messages = process.stdin.pipe(
    onlyMessages((refused) => {
      log(`a line that is no message: ${refused.error.message}`);
      stdout.write(`${JSON.stringify(refused)}\n`);
    }),
  );
  const server = serveStdio(() => buildServer(served), {
    transport: new StdioServerTransport(messages, stdout),
    onerror: (error) => log(error.message),
  });
  await gone;
  await server.close();
}
