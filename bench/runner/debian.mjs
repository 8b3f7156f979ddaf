import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const LIMIT_MS = 300_000;
// Another program may be installing something at this moment.
const apt = ['-o', 'DPkg::Lock::Timeout=120'];

/** The path of a program, also where the path of a plain user ends; or nothing. */
export function onPath(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not in this folder.
    return false;
  }
}

/**
 * Sees to it that programs are there, given the Debian package of each, and installs those that are not where that can be
 * done. Gives the reason when they cannot be had.
 */
export async function haveTools(packages, tell) {
  const absent = Object.keys(packages).filter((program) => onPath(program) === undefined);
  if (absent.length === 0) return undefined;
  const names = absent.map((program) => packages[program]);
  if (process.getuid?.() !== 0) return `not installed (${names.join(', ')}), and only root may install`;
  if (onPath('apt-get') === undefined) return `not installed (${names.join(', ')}), and there is no apt-get`;
  tell(`Installing ${names.join(', ')} from Debian (only this once) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 };
  try {
    await promisify(execFile)('apt-get', [...apt, 'update'], options);
    await promisify(execFile)(
      'apt-get',
      [...apt, 'install', '-y', '--no-install-recommends', ...names],
      options,
    );
    return undefined;
  } catch (error) {
    return `could not be installed: ${error.message.trim().split('\n').at(-1)}`;
  }
}
