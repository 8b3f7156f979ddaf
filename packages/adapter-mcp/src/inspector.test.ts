import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { program, serverEnv } from './fixtures/clients.js';
import { processProject } from './fixtures/projects.js';

const inspector = fileURLToPath(new URL('../node_modules/.bin/mcp-inspector', import.meta.url));

/** Runs the Inspector's command line against the built server. */
async function inspect(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [cwd, env] = [await processProject(), serverEnv()];
  return new Promise((resolve) => {
    const all = ['--cli', process.execPath, program, ...args];
    execFile(inspector, all, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

describe('the Inspector', () => {
  it('finds no mistake in the schemas of the tools', async () => {
    const { code, stderr, stdout } = await inspect('--method', 'tools/list', '--strict');
    expect(stderr).toMatch(/0 errors/);
    expect(JSON.parse(stdout).tools.length).toBeGreaterThan(20);
    expect(code).toBe(0);
  });

  it('calls a tool, and sees that one could not do its work', async () => {
    const status = await inspect('--method', 'tools/call', '--tool-name', 'argus_status');
    expect(JSON.parse(status.stdout).structuredContent).toMatchObject({ ok: true });
    expect(status.code).toBe(0);
    expect((await inspect('--method', 'tools/call', '--tool-name', 'argus_logs')).code).toBe(5);
  });
});
