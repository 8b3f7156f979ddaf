import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeServerVersion } from '../../scripts/steps/server-version.mjs';
import { folderWith } from '../support/folder-with.js';
import { repository } from '../support/run-command.js';

it('gives the registry of MCP servers the version of the package, and leaves the rest as it is', async () => {
  const file = 'packages/adapter-mcp/server.json';
  const text = readFileSync(join(repository, file), 'utf8');
  const root = await folderWith({
    [file]: text,
    'packages/adapter-mcp/package.json': JSON.stringify({
      name: '@argusai/adapter-mcp',
      version: '7.8.9-rc.1',
    }),
  });
  writeServerVersion(root);
  const written = readFileSync(join(root, file), 'utf8');
  expect(JSON.parse(written)).toMatchObject({ version: '7.8.9-rc.1', packages: [{ version: '7.8.9-rc.1' }] });
  expect(written.replaceAll('7.8.9-rc.1', JSON.parse(text).version)).toBe(text);
});
