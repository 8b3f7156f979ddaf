// Runs the very commands of both pipelines, once as they are and once on a runner with too small a disk, and shows what GitHub and
// GitLab would get.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const read = (file) => parse(readFileSync(`${cwd}/${file}`, 'utf8'));

const github = read('.github/workflows/check.yml').jobs.check.steps.map((step) => step.run);
const gitlab = read('.gitlab-ci.yml').check.script;
// Here everything is installed already.
const commands = [...github, ...gitlab].filter((command) => command?.startsWith('npx argus'));

const run = (env) =>
  commands.map((command) => {
    console.log(`\n$ ${command}`);
    const { status } = spawnSync(command, {
      cwd,
      shell: true,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    console.log(
      command.includes('argus.xml') ? readFileSync(`${cwd}/argus.xml`, 'utf8') : '',
      `exit code ${status}`,
    );
    return status;
  });

console.log('A runner that is in order:');
const good = run({});
console.log('\nA runner with too small a disk:');
const bad = run({ DISK_THRESHOLD: '100TB' });
rmSync(`${cwd}/argus.xml`, { force: true });
process.exitCode = good.every((status) => status === 0) && bad.every((status) => status === 1) ? 0 : 1;
