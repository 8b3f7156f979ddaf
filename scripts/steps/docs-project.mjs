import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPackages } from './workspace.mjs';

/**
 * Makes a project in which argus and its server can be asked: all plugins that come along, and a team's own with a problem.
 * @param {string} root
 */
export function docsProject(root) {
  // As the program names it, so that it can be found in answers.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'argus-docs-')));
  cpSync(join(root, 'scripts', 'fixtures', 'shop', 'checks'), join(folder, 'checks'), { recursive: true });
  const plugins = readPackages(root)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('@argusai/plugin-'));
  const config = { project: { name: 'shop' }, plugins: [...plugins, './checks/orders.mjs'] };
  writeFileSync(join(folder, 'argus.config.json'), JSON.stringify(config));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
