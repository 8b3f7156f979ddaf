import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LIMIT_MS = 60_000;
const program = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));
/** Nothing that is there to wait, and nothing that gives up. */
const container = { restartDelay: '0s', stabilityWindow: '0s', maxRestarts: 10, stormLimit: { max: 1_000 } };

/** Has a project up and guarded in the background until the end. Gives the id of the run. */
export async function guarded(name, services, { dir, env, atEnd }) {
  const cwd = join(dir, name);
  const argus = async (...args) => {
    const options = { env, cwd, timeout: LIMIT_MS };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, ...args, '--format', 'json'],
      options,
    );
    const { ok, data, error } = JSON.parse(stdout);
    if (!ok) throw new Error(`argus ${args.join(' ')}: ${error.message}`);
    return data;
  };
  const resilience = { container };
  const config = { project: { name }, services, resilience, environment: { stopTimeout: '0s' } };
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify(config));
  atEnd(() => argus('clean'));
  const { guardian, runId } = await argus('setup', '--guard');
  if (!guardian?.guarding) throw new Error('Nobody guards');
  return runId;
}
