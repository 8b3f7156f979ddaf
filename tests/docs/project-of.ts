import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderWith } from '../support/folder-with.js';
import { repository } from '../support/run-command.js';
import { filesOf } from './snippets.js';

/** What `npm install` would put there, and where it is here. */
const installed = {
  '@argusai/core': 'packages/core',
  zod: 'packages/core/node_modules/zod',
  vitest: 'node_modules/vitest',
  '@types/node': 'node_modules/@types/node',
};

/** A project made of the files that a page shows, and of those that it only speaks of. */
export async function projectOf(page: string, others: Record<string, string> = {}): Promise<string> {
  const folder = await folderWith({ 'package.json': '{ "type": "module" }', ...filesOf(page), ...others });
  for (const [name, path] of Object.entries(installed)) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(repository, path), place);
  }
  return folder;
}

/** A server that says that it is well, on the port that argus gives it. */
export const server = `import { createServer } from 'node:http';
createServer((_, response) => response.end('well')).listen(Number(process.env.PORT));`;
