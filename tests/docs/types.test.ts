import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, runCommand } from '../support/run-command.js';
import { projectOf } from './project-of.js';
import { filesOf } from './snippets.js';

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    skipLibCheck: true,
  },
  include: ['checks'],
};

describe('TypeScript on a page', () => {
  it('is accepted by the compiler', async () => {
    const cwd = await projectOf('docs/writing-a-plugin.md', {
      ...filesOf('README.md'),
      'tsconfig.json': JSON.stringify(settings),
    });
    const tsc = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, code } = await runCommand(process.execPath, [tsc, '-p', cwd], { cwd });
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });
});
