import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

/**
 * How a command ended. A command that a signal ended has the exit code that a shell would give it.
 * @typedef {{ code: number, output: string }} CommandResult
 */

/**
 * Runs a command to its end. Its output is collected, or goes to the terminal when `show` is set.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd: string, show?: boolean, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<CommandResult>}
 */
export function run(file, args, { cwd, show = false, env = process.env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    const letGo = passSignalsTo(child);
    child.on('error', (error) => {
      letGo();
      reject(new Error(`Cannot run ${file}: ${error.message}`, { cause: error }));
    });
    child.on('close', (code, signal) => {
      letGo();
      resolve({
        code: code ?? 128 + (signal ? constants.signals[signal] : 0),
        output: Buffer.concat(chunks).toString('utf8'),
      });
    });
  });
}

/**
 * Runs one of the tools that are installed in the workspace.
 * @param {string} root
 * @param {string} tool
 * @param {string[]} args
 * @param {{ cwd?: string, show?: boolean }} [options]
 */
export function runTool(root, tool, args, { cwd = root, show = false } = {}) {
  return run(join(root, 'node_modules', '.bin', tool), args, { cwd, show });
}

/**
 * While a child runs it decides when to end: we stay until it has, so that it can clean up.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} Stops passing them on.
 */
function passSignalsTo(child) {
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    // Ctrl-C reaches everything in the foreground by itself; a second one would look like impatience.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  return () => {
    for (const signal of signals) process.off(signal, pass);
  };
}
