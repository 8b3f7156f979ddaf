import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../peers/', import.meta.url));
const require = createRequire(join(folder, 'package.json'));
const installed = join(folder, 'node_modules', '.installed');
const LIMIT_MS = 300_000;

const manifest = () => readFileSync(join(folder, 'package.json'), 'utf8');
const read = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/**
 * Installs the large relatives where the workspace does not look, unless they are there. Without them their rows are missing.
 * @param {(line: string) => void} say
 */
export async function installPeers(say) {
  if (read(installed) === manifest()) return;
  say('Installing what argus is compared with (only this once) …');
  // No scripts of theirs are run, and their versions are in the manifest, so no lockfile is written.
  const flags = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--prefer-offline'];
  try {
    await promisify(execFile)('npm', ['install', ...flags], { cwd: folder, timeout: LIMIT_MS });
    writeFileSync(installed, manifest());
  } catch (error) {
    say(`That failed: ${error instanceof Error ? error.message.trim() : error}`);
  }
}

/**
 * The file of an installed relative that is run or imported.
 * @param {string} name
 */
export function peerFile(name) {
  return require.resolve(name);
}

/**
 * Imports a relative.
 * @param {string} name
 */
export const importPeer = (name) => import(pathToFileURL(peerFile(name)).href);

/** Why relatives are not there; nothing when they are. */
export const peersMissing = () =>
  read(installed) === manifest()
    ? undefined
    : 'not installed: `npm run bench` tried to, and says why it failed';
