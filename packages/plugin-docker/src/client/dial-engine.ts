/** An open connection to the engine, for whoever must not lose the time it takes to start a client. */
export interface EngineLine {
  /** Sends a request without a body; gives the status of the answer. Throws when the line is not or no longer open, or in use. */
  post(path: string, signal: AbortSignal): Promise<number>;
  close(): void;
}

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
  const subprocess = execa('docker', ['system', 'dial-stdio'], {
    ...{ env, extendEnv: false, reject: false, buffer: false, stderr: 'ignore' },
    ...{ cancelSignal: signal, forceKillAfterDelay: 500 },
  });
  const line = subprocess.duplex({ preserveNewlines: true, binary: true });
  // Whoever uses the line next is told; until then nobody waits for it.
  line.on('error', () => undefined);

  const send = (path: string, abort: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      if (line.destroyed) throw new Error('The connection to the engine is closed');
      const asked = request({ createConnection: () => line, method: 'POST', path, signal: abort });
      asked.setHeader('Connection', 'keep-alive');
      asked.on('response', (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', reject);
      });
      asked.on('error', reject);
      const onClose = () => reject(new Error('The connection to the engine was closed'));
      line.once('close', onClose);
      asked.on('close', () => line.off('close', onClose));
      asked.end();
    });
  let isUsed = false;

  return {
    async post(path, abort) {
      // Two answers on one line could not be told apart.
      if (isUsed) throw new LineInUse();
      isUsed = true;
      try {
        return await send(path, abort);
      } finally {
        isUsed = false;
      }
    },
    close() {
      line.destroy();
      subprocess.kill();
    },
  };
}
