import { join } from 'node:path';
import { run } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { say } from './say.mjs';
import { isStamped, stamp, unstamp } from './stamp.mjs';
import { manifestFolders, readManifest } from './workspace.mjs';

/**
 * The state of everything that decides what is installed.
 * @param {string} root
 */
export function installState(root) {
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name));
  const manifests = manifestFolders(root).map((folder) => join(folder, 'package.json'));
  const major = process.versions.node.split('.')[0] ?? '';
  return fingerprint(root, [...files, ...manifests], [process.platform, process.arch, major]);
}

/**
 * Installs the dependencies unless they are as the manifests and the lockfile say.
 * @param {string} root
 * @param {(line: string) => void} [tell]
 */
export async function install(root, tell = say) {
  // Inside node_modules, so that it goes when they go.
  const file = join(root, 'node_modules', '.argus', 'install');
  if (isStamped(file, installState(root))) return;
  tell('Installing dependencies …');
  unstamp(file);
  let result = await pnpmInstall(root, ['--prefer-offline']);
  if (result.code !== 0) {
    tell('That failed; trying once more …');
    result = await pnpmInstall(root, []);
  }
  if (result.code !== 0) throw new Error(`Could not install the dependencies:\n${result.output.trim()}`);
  // After a change of the manifests pnpm has written the lockfile anew.
  stamp(file, installState(root));
}

/**
 * @param {string} root
 * @param {string[]} flags
 */
function pnpmInstall(root, flags) {
  const pnpm = readManifest(root).packageManager;
  if (pnpm === undefined) throw new Error('package.json does not say which packageManager to use');
  const { NODE_ENV: _, ...env } = process.env;
  return run(
    'npx',
    [
      '--yes',
      ...flags,
      pnpm,
      'install',
      ...flags,
      ...(process.env.CI === 'true' ? ['--frozen-lockfile'] : []),
      // Nobody is there to be asked.
      '--config.confirmModulesPurge=false',
    ],
    { cwd: root, env },
  );
}
