import { describe, expect, it } from 'vitest';
import { mcpHosts } from '../packages/adapter-cli/src/completion/completed.js';
import { confirmed, newClient } from '../packages/adapter-mcp/src/fixtures/clients.js';
import { processProject } from '../packages/adapter-mcp/src/fixtures/projects.js';
import { hosts } from '../packages/adapter-mcp/src/install/hosts.js';
import { argusProgram, runArgus } from './support/run-command.js';

describe('argus mcp', () => {
  it('serves as argus-mcp does, and can leave a guardian behind', async () => {
    const cwd = await processProject();
    const client = await newClient({ cwd, start: [argusProgram, 'mcp'] });
    expect(await client.call('argus_setup', { guard: true })).toMatchObject({
      ok: true,
      data: { guardian: { guarding: true } },
    });
    expect(await client.call('argus_status')).toMatchObject({ data: { guardian: { background: true } } });
    expect(await confirmed(client.call, 'argus_clean', { verbose: true })).toMatchObject({
      data: { failed: [] },
    });
  });

  it('tells its options', async () => {
    const cwd = await processProject();
    const { code, stdout } = await runArgus(['mcp', '--help'], { cwd, state: cwd });
    expect(stdout).toContain('--read-only');
    expect(code).toBe(0);
    const wrong = await runArgus(['mcp', '--colour'], { cwd, state: cwd });
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--colour') });
  });

  it.each([
    ['--hepl', 'There is no option --hepl; did you mean --help?'],
    ['instal', 'There is no command instal; did you mean install?'],
    ['install claude-cod', 'There is no host claude-cod; did you mean claude-code?'],
    ['install --wirte', 'There is no option --wirte; did you mean --write?'],
  ])('says in one line what is wrong with %s, and what was meant', async (words, message) => {
    const cwd = await processProject();
    const { code, stdout, stderr } = await runArgus(['mcp', ...words.split(' ')], { cwd, state: cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${message}\n`);
    expect(stderr).toContain('argus mcp --help');
    expect(stderr).not.toContain('argus-mcp');
  });

  it('has its hosts completed', () => {
    expect(mcpHosts).toEqual(hosts.map(({ name }) => name));
  });
});
