import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { program, serverEnv } from '../fixtures/clients.js';
import { processProject } from '../fixtures/projects.js';
import { until } from '../fixtures/until.js';

it('answers lines that are no messages with an error, and serves on', async () => {
  const cwd = await processProject();
  const child = spawn(process.execPath, [program], {
    cwd,
    env: serverEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const answers: { id: unknown; error?: { code: number; message: string }; result?: unknown }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line)));
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'ü', version: '1' },
  };
  const initialize = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`,
  );
  child.stdin.write('hello?\n\n  \n{"jsonrpc":"2.0",\n');
  child.stdin.write('42\n[]\n{"id":7,"method":"ping"}\n');
  child.stdin.write(`{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":"${'y'.repeat(12e6)}"}}\r\n`);
  // A letter of two bytes comes in two pieces.
  const middle = initialize.indexOf(Buffer.from('ü')) + 1;
  child.stdin.write(initialize.subarray(0, middle));
  await until('what came before is answered', () => answers.length >= 6);
  child.stdin.write(initialize.subarray(middle));
  await until('it has answered', () => answers.some(({ result }) => result !== undefined));
  child.stdin.write('}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  await until('it still serves', () => answers.some(({ id }) => id === 2));
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [7, -32600],
    [null, -32600],
    [1, undefined],
    [null, -32700],
    [2, undefined],
  ]);
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  expect(await exit).toBe(0);
});
