import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/steps/command.mjs';
import { workspaceRoot } from '../../scripts/steps/workspace.mjs';

const cwd = workspaceRoot;

describe('running a command', () => {
  it('gives its exit code and all that it printed', async () => {
    const program = 'console.log("out"); console.error("err"); process.exitCode = 3';
    const { code, output } = await run(process.execPath, ['-e', program], { cwd });
    expect(code).toBe(3);
    expect(output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('gives the exit code of a shell for one that a signal ended', async () => {
    const { code } = await run('sh', ['-c', 'kill -TERM $$'], { cwd });
    expect(code).toBe(143);
  });

  it('names a program that is not there', async () => {
    await expect(run('no-such-program', [], { cwd })).rejects.toThrow('no-such-program');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on and waits for the command to end', async (signal) => {
    const command = JSON.stringify(pathToFileURL(join(workspaceRoot, 'scripts/steps/command.mjs')).href);
    const inner = `process.once('${signal}', () => setTimeout(() => process.exit(7), 50)); console.log('up'); setInterval(() => {}, 1000)`;
    const outer = `import { run } from ${command};
      const { code } = await run(process.execPath, ['-e', ${JSON.stringify(inner)}], { cwd: '.', show: true });
      process.exitCode = code;`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', outer], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([7, null]);
  });
});
