import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './command.mjs';
import { filesBelow, fingerprint, footprint } from './fingerprint.mjs';
import { installState } from './install.mjs';
import { say } from './say.mjs';
import { isStamped, stamp, unstamp } from './stamp.mjs';
import { readPackages } from './workspace.mjs';

/** @typedef {import('./failure.mjs').Failure} Failure */

/**
 * A package together with the state of everything that its build depends on.
 * @typedef {import('./workspace.mjs').WorkspacePackage & { state: string, stampFile: string }} BuildTarget
 */

/**
 * All packages in the order of building. The state of one contains the states of those it depends on.
 * @param {string} root
 * @returns {BuildTarget[]}
 */
export function buildTargets(root) {
  const shared = [join(root, 'tsconfig.base.json')];
  const installed = installState(root);
  /** @type {Map<string, string>} */
  const states = new Map();
  return readPackages(root).map((each) => {
    const state = fingerprint(
      root,
      [...shared, ...sourcesOf(each.folder)],
      [installed, ...each.needs.map((name) => states.get(name) ?? '')],
    );
    states.set(each.name, state);
    return { ...each, state, stampFile: join(root, '.build', 'stamps', each.path) };
  });
}

/**
 * Those whose sources, dependencies or output changed since they were built.
 * @param {string} root
 * @returns {BuildTarget[]}
 */
export function staleTargets(root) {
  return buildTargets(root).filter((target) => !isStamped(target.stampFile, doneState(target)));
}

/**
 * Notes that a target is built as it is now.
 * @param {BuildTarget} target
 */
export function markBuilt(target) {
  stamp(target.stampFile, doneState(target));
}

/**
 * Builds what is stale: JavaScript package by package, then the declarations of all.
 * @param {string} root
 * @returns {Promise<Failure[]>}
 */
export async function build(root) {
  const targets = staleTargets(root);
  if (targets.length === 0) return [];
  /** @type {Failure[]} */
  const failures = [];
  for (const { folder, path, stampFile } of targets) {
    say(`Building ${path} …`);
    unstamp(stampFile);
    // Files of sources that are gone must not stay; tsup leaves them.
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    const { code, output } = await runTool(root, 'tsup', [], { cwd: folder });
    if (code !== 0) failures.push({ what: `build of ${path}`, output });
  }
  say('Writing type declarations …');
  const { code, output } = await runTool(root, 'tsc', ['-b', ...targets.map(({ path }) => path)]);
  if (code !== 0) failures.push({ what: 'types of the packages', output });
  if (failures.length === 0) targets.forEach(markBuilt);
  return failures;
}

/** @param {BuildTarget} target */
function doneState({ state, folder }) {
  return `${state} ${footprint(join(folder, 'dist'))}`;
}

/** @param {string} folder */
function sourcesOf(folder) {
  const configuration = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(folder, entry.name));
  const sources = filesBelow(join(folder, 'src')).filter(
    (file) => !file.endsWith('.test.ts') && !file.includes('/fixtures/'),
  );
  return [...configuration, ...sources];
}
