import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { plainEnvironment } from './plain-environment.mjs';

/**
 * What the built `argus` answers to a program.
 * @param {string} root
 * @param {string} project The folder to ask in.
 * @param {readonly string[]} args
 * @returns {unknown}
 */
export function askArgus(root, project, args) {
  const program = join(root, 'packages', 'adapter-cli', 'dist', 'argus.js');
  const stdout = execFileSync(process.execPath, [program, ...args, '--format', 'json'], {
    cwd: project,
    env: plainEnvironment(project),
    encoding: 'utf8',
    timeout: 60_000,
  });
  const envelope = JSON.parse(stdout);
  if (!envelope.ok) throw new Error(`argus ${args.join(' ')}: ${envelope.error.message}`);
  return envelope.data;
}
