import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labelNames } from '../../packages/core/src/environment/ownership/labels.js';
import { createHooks } from '../../packages/core/src/hooks/hooks.js';
import { folderWith } from '../support/folder-with.js';
import { repository, runArgus } from '../support/run-command.js';
import { textOf } from './pages.js';

const packages = join(repository, 'packages');

/** What stands as code on a page. */
function codeOf(page: string): string[] {
  return [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe('the page about the architecture', () => {
  const named = codeOf('docs/architecture.md');

  it('names every package', () => {
    expect(named).toEqual(expect.arrayContaining(readdirSync(packages).map((name) => `@argusai/${name}`)));
  });

  it('names every folder of core', () => {
    const folders = readdirSync(join(packages, 'core', 'src'), { withFileTypes: true });
    expect(named).toEqual(
      expect.arrayContaining(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)),
    );
  });

  it('names only files that are there', () => {
    const paths = named.filter((code) => /^(core|(plugin|adapter|store)-\w+)\/src/.test(code));
    expect(paths.filter((path) => !existsSync(join(packages, path)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(10);
  });
});

/** Words of the model that look like functions. */
const fields = ['suggestedActions'];

describe('the page about concepts', () => {
  it('names only functions and hooks that core has', () => {
    const named = codeOf('docs/concepts.md').filter((code) => /^[a-z]+([A-Z][a-z]+)+$/.test(code));
    const functions = named.filter((name) => !(name in createHooks()) && !fields.includes(name));
    const core = join(packages, 'core', 'src');
    const sources = readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/fixtures|\.test\./.test(name))
      .map((name) => readFileSync(join(core, name), 'utf8'))
      .join('\n');
    expect(functions.filter((name) => !sources.includes(`function ${name}(`))).toEqual([]);
    expect(functions.length).toBeGreaterThan(10);
  });
});

describe('the tutorial about plugins', () => {
  it('names every hook', () => {
    expect(codeOf('docs/writing-a-plugin.md')).toEqual(expect.arrayContaining(Object.keys(createHooks())));
  });
});

describe('the page about security', () => {
  it('names every label', () => {
    expect(codeOf('docs/security.md')).toEqual(expect.arrayContaining(Object.values(labelNames)));
  });
});

interface ListedPlugin {
  readonly name: string;
  readonly codes: string[];
  readonly checkers: string[];
  readonly recoverers: string[];
  readonly operations: string[];
  readonly options?: object;
}

describe('the README of a plugin', () => {
  it('names everything that the plugin registers, and its options', async () => {
    const cwd = await folderWith({});
    const listed = await runArgus(['plugins', '--format', 'json'], { cwd, state: join(cwd, 'state') });
    const { plugins }: { plugins: ListedPlugin[] } = JSON.parse(listed.stdout).data;
    const own = plugins.filter(({ name }) => name !== 'core');
    for (const { name, codes, checkers, recoverers, operations, options } of own) {
      const registered = [...codes, ...checkers, ...recoverers, ...operations, ...Object.keys(options ?? {})];
      expect(codeOf(`packages/plugin-${name}/README.md`)).toEqual(expect.arrayContaining(registered));
    }
    const folders = readdirSync(packages).filter((folder) => folder.startsWith('plugin-'));
    expect(own.map(({ name }) => `plugin-${name}`).sort()).toEqual(folders.sort());
  });
});
