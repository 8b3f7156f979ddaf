import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from './steps/command.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';
import { zip } from './steps/zip.mjs';

// Makes an .mcpb bundle of the built MCP server, with what it needs, for this platform, in the folder that is named or in `.build`.

const folder = join(workspaceRoot, 'packages', 'adapter-mcp');
const { version, description, license, dependencies } = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
);

const manifest = {
  manifest_version: '0.3',
  name: 'argus',
  display_name: 'Argus',
  version,
  description,
  license,
  author: { name: 'The Argus authors' },
  server: {
    type: 'node',
    entry_point: 'server/argus-mcp.js',
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/server/argus-mcp.js`],
      env: { ARGUS_PROJECT_DIR: `\${user_config.project}` },
    },
  },
  user_config: {
    project: {
      type: 'directory',
      title: 'Project',
      description: 'The folder of the project whose environment argus looks after',
      required: true,
    },
  },
  compatibility: { platforms: [process.platform], runtimes: { node: '>=20.19' } },
};

/**
 * The files below a folder, sorted, as entries of an archive.
 * @param {string} from
 * @param {string} to
 */
function entriesBelow(from, to) {
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .map((name) => join(from, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({
      name: join(to, relative(from, path)).replaceAll('\\', '/'),
      data: readFileSync(path),
      executable: (statSync(path).mode & 0o111) !== 0,
    }));
}

const temporary = mkdtempSync(join(tmpdir(), 'argus-mcpb-'));
try {
  writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
  ];
  const { code } = await run('npm', install, { cwd: temporary, show: true });
  if (code !== 0) throw new Error('what the server needs could not be installed');
  const server = entriesBelow(join(folder, 'dist'), 'server').filter(
    ({ name }) => !name.startsWith('server/types/'),
  );
  if (!server.some(({ name }) => name === 'server/argus-mcp.js'))
    throw new Error('build first: npm run build');
  const bundle = zip([
    { name: 'manifest.json', data: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { name: 'LICENSE', data: readFileSync(join(folder, 'LICENSE')) },
    ...server,
    ...entriesBelow(join(temporary, 'node_modules'), 'node_modules'),
  ]);
  const file = join(
    resolve(process.argv[2] ?? join(workspaceRoot, '.build')),
    `argus-${version}-${process.platform}-${process.arch}.mcpb`,
  );
  writeFileSync(file, bundle);
  say(`${file}: ${bundle.length} bytes`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
