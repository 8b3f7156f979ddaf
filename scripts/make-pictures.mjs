import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { recordTerminal } from './steps/record-terminal.mjs';
import { say } from './steps/say.mjs';
import { terminalPicture } from './steps/terminal-picture.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

// Draws what argus shows at a terminal, for the README: the program that was built, in the project of scripts/fixtures/shop.
const argus = join(workspaceRoot, 'packages', 'adapter-cli', 'dist', 'argus.js');
const columns = 80;
const pictures = [
  { name: 'check', args: ['check'] },
  { name: 'fix', args: ['fix', '--only', 'orders'], answers: [{ question: 'Carry it out?', answer: 'y' }] },
];

const folder = resolve(process.argv[2] ?? join(workspaceRoot, 'docs', 'images'));
const project = mkdtempSync(join(tmpdir(), 'argus-pictures-'));
cpSync(join(workspaceRoot, 'scripts', 'fixtures', 'shop'), project, { recursive: true });
const holder = spawn(process.execPath, ['server.mjs'], {
  argv0: 'node',
  cwd: project,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  // It says that it is ready, or ends because somebody else has its port, which serves as well.
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')]);
  mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env.PATH ?? '', HOME: project, ARGUS_STATE_DIR: join(project, 'state') };
  for (const { name, args, answers = [] } of pictures) {
    const command = [process.execPath, argus, ...args];
    const lines = await recordTerminal({ command, cwd: project, env, columns, answers });
    const title = `argus ${args.join(' ')}`;
    const typed = { text: `$ ${title}`, column: 0, columns: title.length + 2 };
    const prompt = { ...typed, color: undefined, isBold: true, isDim: false };
    writeFileSync(join(folder, `${name}.svg`), terminalPicture([[prompt], ...lines], { columns, title }));
  }
  say(`${pictures.length} pictures are in ${folder}`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  holder.kill('SIGKILL');
  rmSync(project, { recursive: true, force: true });
}
