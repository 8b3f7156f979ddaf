import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run, runTool } from './command.mjs';
import { filesBelow, fingerprint } from './fingerprint.mjs';
import { isStamped, stamp } from './stamp.mjs';
import { readManifest, readPackages } from './workspace.mjs';

/** @typedef {import('./failure.mjs').Failure} Failure */
/** @typedef {import('./workspace.mjs').WorkspacePackage & { state: string, stampFile: string }} Candidate */

/**
 * Packs the packages that have changed since they last passed, and checks what would be published: publint what is said of the
 * files, attw what a compiler makes of the types. They are ESM only, so how `require` would find them does not count.
 * @param {string} root
 * @returns {Promise<Failure[]>}
 */
export async function checkPackages(root) {
  const candidates = staleCandidates(root);
  if (candidates.length === 0) return [];
  const folder = join(root, '.build', 'tarballs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await pack(root, candidates, folder);
  if (packed.code !== 0) return [{ what: 'packing the packages', output: packed.output }];
  // Two at a time: each starts a compiler, and others are at work beside this.
  const waiting = [...candidates];
  /** @type {Failure[]} */
  const failures = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const found = await lint(root, next, join(folder, tarballName(next)));
      if (found.length === 0) stamp(next.stampFile, next.state);
      failures.push(...found);
    }
  };
  await Promise.all([work(), work()]);
  return failures;
}

/**
 * @param {string} root
 * @returns {Candidate[]}
 */
function staleCandidates(root) {
  return readPackages(root)
    .map((each) => ({
      ...each,
      state: publishedState(root, each.folder),
      stampFile: join(root, '.build', 'checks', each.path),
    }))
    .filter(({ stampFile, state }) => !isStamped(stampFile, state));
}

/**
 * What these tools look at: the manifest, the declarations, and which files there are. What the code does is for the tests.
 * @param {string} root
 * @param {string} folder
 */
function publishedState(root, folder) {
  const built = filesBelow(join(folder, 'dist'));
  const declarations = built.filter((file) => file.endsWith('.d.ts'));
  const manifests = [root, folder].map((each) => join(each, 'package.json'));
  return fingerprint(
    root,
    [...manifests, ...declarations],
    [built.map((file) => relative(root, file)).join('\n')],
  );
}

/**
 * pnpm turns `workspace:` ranges into versions, as it does when it publishes.
 * @param {string} root
 * @param {Candidate[]} candidates
 * @param {string} folder
 */
function pack(root, candidates, folder) {
  const filters = candidates.flatMap(({ path }) => ['--filter', `./${path}`]);
  const pnpm = readManifest(root).packageManager ?? 'pnpm';
  const args = ['--yes', '--prefer-offline', pnpm, ...filters, 'pack', '--pack-destination', folder];
  return run('npx', args, { cwd: root });
}

/**
 * @param {string} root
 * @param {Candidate} candidate
 * @param {string} tarball
 * @returns {Promise<Failure[]>}
 */
async function lint(root, { path, manifest }, tarball) {
  const tools = [{ tool: 'publint', args: ['run', tarball, '--strict'] }];
  // Of a package that is only a program there is nothing to import.
  if (manifest.exports?.['.'] !== undefined)
    tools.push({ tool: 'attw', args: [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'] });
  const results = [];
  for (const { tool, args } of tools) {
    const { code, output } = await runTool(root, tool, args);
    if (code !== 0) results.push({ what: `${path} as it would be published (${tool})`, output });
  }
  return results;
}

/** @param {Candidate} candidate */
function tarballName({ name, manifest }) {
  return `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
}
