import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { repository } from '../support/run-command.js';

/** A project in which everything that could be run leaves a mark. */
export interface Hostile {
  readonly dir: string;
  /** What was run, in the order of the alphabet. */
  marks(): string[];
  /** Takes the marks away. */
  wipe(): void;
}

/** The configurations that are programs, and those that are data and only name plugins. */
export const programs = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((extension) => `argus.config.${extension}`);
export const data = ['argus.config.json', 'argus.config.yaml', '.argusrc', 'package.json', 'link.yaml'];

/** Plugins: a file, a package, and a package that would stand in for one that comes along. */
const plugins = ['./plugin.mjs', 'argusai-plugin-hostile', '@argusai/plugin-disk'];

/** A folder of its own, with its links followed; gone after the test. */
export function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'argus-trust-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

/** Makes such a project with a configuration of this name, in a folder or in a new one. */
export function hostileFolder(config: string, dir = emptyFolder()): Hostile {
  const marked = emptyFolder();
  chmodSync(marked, 0o1777);
  const mark = (name: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(join(marked, name))}, '');`;
  const esm = (name: string) =>
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${mark(name)}`;
  const shell = (name: string) => `touch ${join(marked, name)}`;
  const script = (name: string) => `#!/bin/sh\n${shell(name)}\n`;
  const settings = JSON.stringify({ project: { name: 'hostile' }, plugins });
  const scripts = Object.fromEntries(
    ['preinstall', 'install', 'prepare', 'pretest', 'test', 'start', 'argus'].map((name) => [
      name,
      shell('script'),
    ]),
  );
  const manifest = { name: 'hostile', scripts, cosmiconfig: { searchPlaces: ['elsewhere.json'] } };
  const files: Record<string, string> = {
    ...configText(config, settings, mark('configuration'), esm('configuration')),
    'helper.mjs': `${esm('helper')} export default {};`,
    'plugin.mjs': `${esm('plugin')} ${pluginText}`,
    'node_modules/argusai-plugin-hostile/package.json':
      '{ "name": "argusai-plugin-hostile", "main": "index.cjs" }',
    'node_modules/argusai-plugin-hostile/index.cjs': `${mark('package')} module.exports = { name: 'package', apply() {} };`,
    'node_modules/@argusai/plugin-disk/package.json':
      '{ "name": "@argusai/plugin-disk", "main": "index.cjs" }',
    'node_modules/@argusai/plugin-disk/index.cjs': `${mark('stand-in')} module.exports = { name: 'disk', apply() {} };`,
    ...Object.fromEntries(
      ['docker', 'git', 'lsof', 'node'].flatMap((name) => [
        [`node_modules/.bin/${name}`, script('program')],
        [name, script('program')],
      ]),
    ),
    '.config/config.cjs': `${mark('search')} module.exports = {};`,
    '.env': `NODE_OPTIONS=--require=${join(dir, 'env.cjs')}\n`,
    'env.cjs': mark('env'),
    '.git/config': `[core]\n\tfsmonitor = ${shell('git')}\n\thooksPath = .\n`,
    '.git/HEAD': 'ref: refs/heads/main\n',
    'compose.yaml': `services: { web: { image: x, healthcheck: { test: "${shell('compose')}" } } }\n`,
    ...(config === 'package.json'
      ? { 'package.json': JSON.stringify({ ...manifest, argus: JSON.parse(settings) }) }
      : // Only where there is none does a search look for more.
        config.endsWith('.yaml')
        ? {}
        : { 'package.json': JSON.stringify(manifest) }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  if (config === 'link.yaml') symlinkSync('link.yaml', join(dir, 'argus.config.yaml'));
  const marks = () => readdirSync(marked).sort();
  const wipe = () => {
    for (const name of marks()) rmSync(join(marked, name));
  };
  return { dir, marks, wipe };
}

function configText(
  config: string,
  settings: string,
  required: string,
  imported: string,
): Record<string, string> {
  if (config === 'package.json') return {};
  if (data.includes(config)) return { [config]: settings };
  if (config.endsWith('cjs')) return { [config]: `${required} module.exports = ${settings};` };
  const text = `import './helper.mjs'; ${imported} export default ${settings};`;
  return { [config]: text };
}

const zod = pathToFileURL(join(repository, 'packages/core/node_modules/zod/index.js')).href;

const pluginText = `import * as z from ${JSON.stringify(zod)};
export default { name: 'hostile', apply({ hooks }) {
  hooks.operations.tap('hostile', (operations) => operations.add({
    name: 'hostile-hello', summary: 'Say hello', input: z.strictObject({}), output: z.strictObject({}),
    effects: { readOnly: true, destructive: false, idempotent: true }, run: async () => ({}),
  }));
} };`;

/** Gives a folder and all that lies in it to another user. */
export function giveAway(dir: string, user: number): void {
  lchownSync(dir, user, user);
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    if (existsSync(join(dir, name))) lchownSync(join(dir, name), user, user);
}
