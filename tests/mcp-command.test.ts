import { describe, expect, it } from 'vitest';
import { newClient } from '../packages/adapter-mcp/src/fixtures/clients.js';
import { processProject } from '../packages/adapter-mcp/src/fixtures/projects.js';
import { argusProgram, runArgus } from './support/run-command.js';

describe('argus mcp', () => {
  it('serves as argus-mcp does, and can leave a guardian behind', async () => {
    const cwd = await processProject();
    const client = await newClient({ cwd, start: [argusProgram, 'mcp'] });
    expect(await client.call('argus_setup', { guard: true })).toMatchObject({
      ...{ ok: true, data: { guardian: { guarding: true } } },
    });
    expect(await client.call('argus_status')).toMatchObject({ data: { guardian: { background: true } } });
    expect(await client.call('argus_clean', { confirm: true })).toMatchObject({ data: { failed: [] } });
  });

  it('tells its options', async () => {
    const cwd = await processProject();
    const { code, stdout } = await runArgus(['mcp', '--help'], { cwd, state: cwd });
    expect(stdout).toContain('--read-only');
    expect(code).toBe(0);
    const wrong = await runArgus(['mcp', '--colour'], { cwd, state: cwd });
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--colour') });
  });
});
