import { argumentList, whenAborted } from '@argusai/core';

/** What the engine answered. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: string;
}

/** An open connection to the engine, for whoever must not lose the time it takes to start a client. */
export interface EngineLine {
  /** Sends a request. Throws when the line is not or no longer open, or in use. */
  post(path: string, signal: AbortSignal, body?: object): Promise<EngineAnswer>;
  /** Asks for something. Throws as `post` does. */
  get(path: string, signal: AbortSignal): Promise<EngineAnswer>;
  close(): void;
}

/** Without it Node finds out whether the name of the server is an address, with an expression that takes milliseconds to make. */
const nameless = { servername: '' };

/** Somebody else waits for an answer. */
export class LineInUse extends Error {
  override readonly message = 'The connection to the engine is in use';
}

/**
 * Opens a connection through the user's own Docker client, so that it leads to the same engine as every command: contexts, SSH
 * and TLS included. It serves one request at a time.
 */
export async function dialEngine(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<EngineLine> {
  const [{ execa }, { request }] = await Promise.all([import('execa'), import('node:http')]);
  const subprocess = execa('docker', argumentList(['system', 'dial-stdio']), {
    env,
    extendEnv: false,
    reject: false,
    buffer: false,
    stderr: 'ignore',
    cancelSignal: signal,
    forceKillAfterDelay: 500,
  });
  const line = subprocess.duplex({ preserveNewlines: true, binary: true });
  // Whoever uses the line next is told; until then nobody waits for it.
  line.on('error', () => undefined);

  const send = (method: 'GET' | 'POST', path: string, abort: AbortSignal, body?: object) =>
    new Promise<EngineAnswer>((resolve, reject) => {
      abort.throwIfAborted();
      if (line.destroyed) throw new Error('The connection to the engine is closed');
      // The line itself is closed only when the client has ended, and one that waits for a daemon that hangs does not.
      const giveUp = () => {
        reject(abort.reason);
        subprocess.kill('SIGKILL');
      };
      const release = whenAborted(abort, giveUp);
      const asked = request({ createConnection: () => line, method, path, ...nameless });
      asked.setHeader('Connection', 'keep-alive');
      asked.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        answer.on('error', reject);
      });
      asked.on('error', reject);
      const onClose = () => reject(new Error('The connection to the engine was closed'));
      line.once('close', onClose);
      asked.on('close', () => {
        line.off('close', onClose);
        release();
      });
      if (body) asked.setHeader('Content-Type', 'application/json');
      asked.end(body && JSON.stringify(body));
    });
  let isUsed = false;
  const sendAlone: typeof send = async (...request) => {
    // Two answers on one line could not be told apart.
    if (isUsed) throw new LineInUse();
    isUsed = true;
    try {
      return await send(...request);
    } finally {
      isUsed = false;
    }
  };

  return {
    post: (path, abort, body) => sendAlone('POST', path, abort, body),
    get: (path, abort) => sendAlone('GET', path, abort),
    close() {
      line.destroy();
      subprocess.kill();
    },
  };
}
