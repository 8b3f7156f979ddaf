import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { until } from '../../packages/adapter-mcp/src/fixtures/until.js';
import { argusProgram } from '../support/run-command.js';
import { services } from './leaking-project.js';

/** The files below a folder, and what is in them. */
export function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, name, mode: statSync(path).mode & 0o777, text: readFileSync(path, 'latin1') };
    });
}

/** What `logs --follow` prints until every service has said everything, and again where they are told to. */
export async function followed(cwd: string, env: Record<string, string>, sayAgain?: () => void) {
  const args = [argusProgram, 'logs', '--follow', '--tail', '1000', '--format', 'ndjson'];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said = (times: number) =>
    until('everything was said', () => text.split('~end~').length > times * 2 * services.length);
  await said(1);
  if (sayAgain) {
    sayAgain();
    await said(2);
  }
  child.kill('SIGINT');
  await ended;
  return text;
}

/** An answer, and all that was left out of it. */
export async function whole(
  call: TestClient['call'],
  tool: string,
  args: Record<string, unknown>,
): Promise<string> {
  const answer = await call(tool, args, { timeout: 60_000 });
  const runId = /"runId":"(call-\w+)"/.exec(answer.truncated?.more ?? '')?.[1];
  let rest = '';
  for (let offset: unknown = runId ? 0 : null; offset !== null; ) {
    const { data } = await call('argus_more', { runId, offset });
    const piece = data as { text: string; nextOffset: number | null };
    rest += piece.text;
    offset = piece.nextOffset;
  }
  return JSON.stringify(answer) + rest;
}
