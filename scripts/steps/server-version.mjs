import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './workspace.mjs';

/**
 * Writes the version of the MCP server into what the registry of MCP servers reads, which names it twice.
 * @param {string} root
 */
export function writeServerVersion(root) {
  const folder = join(root, 'packages', 'adapter-mcp');
  const file = join(folder, 'server.json');
  const { version } = readManifest(folder);
  // As text, so that it stays formatted as it is.
  const text = readFileSync(file, 'utf8').replaceAll(/("version": )"[^"]*"/g, `$1"${version}"`);
  writeFileSync(file, text);
}
