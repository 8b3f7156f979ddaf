import { spawn } from 'node:child_process';

/** Tells the process that serves on which descriptor it finds the protocol. */
const protocolVariable = 'ARGUS_MCP_PROTOCOL_FD';
const protocolDescriptor = 3;

/** The descriptor that this process was given for the protocol; nothing where it has to serve through another one. */
export function givenDescriptor(env: NodeJS.ProcessEnv): number | undefined {
  const given = env[protocolVariable];
  // Whatever it starts itself serves nobody.
  delete env[protocolVariable];
  return given === undefined ? undefined : Number(given);
}

/**
 * Serves in a process of its own, whose stdout is this one's stderr and which has the real stdout under another number: so whatever a
 * plugin prints to stdout, by whatever way, is not the protocol. It reads stdin itself and ends when that does, also when this process was killed.
 */
export async function serveApart(): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    // Away from the terminal, whose signals reach this process and are handed on once.
    detached: true,
    stdio: ['inherit', 2, 'inherit', 1],
    env: { ...process.env, [protocolVariable]: String(protocolDescriptor) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
