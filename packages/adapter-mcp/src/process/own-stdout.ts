import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Writable } from 'node:stream';

/**
 * Takes stdout for the protocol alone and gives it to the caller. Whatever else writes there, by whatever way, writes to stderr
 * from now on: a plugin that prints must not be able to break the connection.
 */
export function takeStdout(): Writable {
  const own = process.stdout;
  Object.defineProperty(process, 'stdout', {
    ...{ configurable: true, enumerable: true, get: () => process.stderr },
  });
  divertDescriptor();
  divertCommands();
  syncBuiltinESMExports();
  return own;
}

/** What writes to a descriptor that it is given. */
const writers = [
  ...['write', 'writeSync', 'writev', 'writevSync'],
  ...['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'],
] as const;

/** Writing to descriptor 1 itself. The stream above has its own way. */
function divertDescriptor(): void {
  const all = fs as unknown as Record<string, (target: unknown, ...rest: unknown[]) => unknown>;
  for (const name of writers) {
    const write = all[name];
    if (write) all[name] = (target, ...rest) => write(target === 1 ? 2 : target, ...rest);
  }
}

type Stdio = unknown;

/** Commands that inherit stdout. */
function divertCommands(): void {
  const { spawn } = childProcess.ChildProcess.prototype as unknown as {
    spawn(options: { stdio?: Stdio }): unknown;
  };
  Object.assign(childProcess.ChildProcess.prototype, {
    spawn(this: unknown, options: { stdio?: Stdio }) {
      return spawn.call(this, { ...options, stdio: diverted(options.stdio) });
    },
  });
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const run = childProcess[name] as (...given: unknown[]) => unknown;
    Object.assign(childProcess, { [name]: (...given: unknown[]) => run(...given.map(withDiverted)) });
  }
}

/** Options with the streams diverted; every other argument as it is. */
function withDiverted(argument: unknown): unknown {
  const isOptions = typeof argument === 'object' && argument !== null && !Array.isArray(argument);
  return isOptions ? { ...argument, stdio: diverted((argument as { stdio?: Stdio }).stdio) } : argument;
}

function diverted(stdio: Stdio): Stdio {
  if (stdio === 'inherit') return ['inherit', 2, 'inherit'];
  if (!Array.isArray(stdio)) return stdio;
  // `inherit` means the descriptor of the same number.
  return stdio.map((one, index) => (one === 1 || (one === 'inherit' && index === 1) ? 2 : one));
}
