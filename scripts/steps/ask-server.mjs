import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plainEnvironment } from './plain-environment.mjs';

/** @typedef {(method: string, params?: object) => Promise<unknown>} Ask */

/**
 * Starts the built MCP server in a project and lets somebody ask it, as a client does over stdio.
 * @template Answer
 * @param {string} root
 * @param {string} project
 * @param {(ask: Ask) => Promise<Answer>} work
 * @returns {Promise<Answer>}
 */
export async function askServer(root, project, work) {
  const program = join(root, 'packages', 'adapter-mcp', 'dist', 'argus-mcp.js');
  const server = spawn(process.execPath, [program, '--project', project], {
    cwd: project,
    env: plainEnvironment(project),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  /** @type {Map<number, (message: { result?: unknown, error?: { message: string } }) => void>} */
  const waiting = new Map();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  let count = 0;
  /** @type {Ask} */
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
      void ended.then(() => reject(new Error('The MCP server ended')));
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  try {
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'docs', version: '1' },
    };
    await ask('initialize', client);
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return await work(ask);
  } finally {
    server.stdin.end();
    await ended;
  }
}
