import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runArgus, runCommand } from '../support/run-command.js';
import { projectOf } from './project-of.js';
import { transcriptOf, untimed } from './snippets.js';

const page = 'docs/writing-a-plugin.md';

describe('the tutorial about plugins', () => {
  it('ends with commands that print what it says', async () => {
    const cwd = await projectOf(page);
    const shown = transcriptOf(page);
    expect(shown.map(({ args }) => args[0])).toEqual(['check', 'fix', 'check']);
    for (const { args, output } of shown) {
      const { stdout } = await runArgus(args, { cwd, state: join(cwd, 'state') });
      expect(untimed(stdout)).toBe(untimed(output));
    }
  });

  it('shows a plugin that explains itself', async () => {
    const cwd = await projectOf(page);
    const { stdout } = await runArgus(['explain', 'SETTINGS_MISSING'], { cwd, state: join(cwd, 'state') });
    expect(stdout).toContain('Copy what is missing from .env.example to .env.');
    expect(stdout).toContain('dotenv.fill');
  });

  it('shows a test that passes', async () => {
    const cwd = await projectOf(page);
    const vitest = join(cwd, 'node_modules', 'vitest', 'vitest.mjs');
    const { code, stdout } = await runCommand(process.execPath, [vitest, 'run', '--reporter=json'], {
      cwd,
      env: { VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined },
    });
    expect(code).toBe(0);
    const { numFailedTests, numPassedTests } = JSON.parse(stdout);
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(20);
  });
});
