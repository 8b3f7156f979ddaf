import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './support/run-command.js';

/** The folders of core, each of which may use those before it. Types may refer to each other freely. */
const order = [
  ['time', 'redact'],
  ['model'],
  ['events', 'registry', 'state', 'hooks'],
  ['trust'],
  ['circuit', 'config'],
  ['kernel'],
  ['check'],
  ['recover', 'standstill'],
  ['environment'],
  ['guardian'],
  ['suites', 'faults', 'init'],
  ['explain', 'plugins'],
  ['operations'],
  ['open'],
  ['testing'],
];

/** The folders of the environment, in the same way. What lies beside them all of them may use. */
const environmentOrder = [
  ['processes', 'sockets'],
  ['ownership', 'ports'],
  ['services'],
  ['runs', 'looks'],
  ['commands', 'health'],
  ['removal', 'status'],
  ['setup'],
];
const core = join(repository, 'packages/core/src');

/** What a file imports when it runs: relative paths in imports that are not only types. */
function imports(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/^(?:import|export) (?!type )([^;]*?) from '(\.[^']+)'/gm);
  return [...statements].flatMap(([, names = '', path = '']) => (isOnlyTypes(names) ? [] : [path]));
}

function isOnlyTypes(names: string): boolean {
  const listed = /^\{([^}]*)\}$/s
    .exec(names.trim())?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return listed?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

/** The sources that lie in a folder of this one. */
const sourcesIn = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('fixtures'))
    .filter((name) => name.includes('/'));

describe.each([
  ['core', core, order],
  ['the environment', join(core, 'environment'), environmentOrder],
])('the folders of %s', (_, root, ranks) => {
  const files = sourcesIn(root);
  const rankOf = (folder: string) => ranks.findIndex((folders) => folders.includes(folder));

  it('are all in the order', () => {
    const folders = new Set(files.map((name) => name.split('/')[0] ?? ''));
    expect([...folders].filter((folder) => rankOf(folder) < 0)).toEqual([]);
  });

  it('import one way', () => {
    const backwards = files.flatMap((name) => {
      const from = name.split('/')[0] ?? '';
      return imports(join(root, name))
        .map((path) => relative(root, resolve(dirname(join(root, name)), path)))
        .filter((target) => {
          const to = target.split('/')[0] ?? '';
          return to !== from && rankOf(to) >= rankOf(from);
        })
        .map((target) => `${name} imports ${target}`);
    });
    expect(backwards).toEqual([]);
  });
});

describe('plugins and stores', () => {
  it('import nothing of ours but core', () => {
    const packages = readdirSync(join(repository, 'packages')).filter((name) =>
      /^(plugin|store)-/.test(name),
    );
    for (const name of packages) {
      const manifest = JSON.parse(readFileSync(join(repository, 'packages', name, 'package.json'), 'utf8'));
      const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      // Whatever is built on Docker uses the one client that there is.
      const allowed =
        name === 'plugin-network' ? ['@argusai/core', '@argusai/plugin-docker'] : ['@argusai/core'];
      expect(used.filter((one) => one.startsWith('@argusai/'))).toEqual(allowed);
    }
  });
});

describe('limits of time', () => {
  it('are held by their timer, which those of AbortSignal.timeout are not', () => {
    const packages = join(repository, 'packages');
    const sources = readdirSync(packages)
      .flatMap((name) =>
        readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(name, 'src', file),
        ),
      )
      .filter((file) => /\.m?ts$/.test(file) && !/\.test\.ts$|fixtures/.test(file));
    const careless = sources.filter((file) =>
      /AbortSignal\.timeout\(/.test(readFileSync(join(packages, file), 'utf8')),
    );
    expect(careless).toEqual([]);
  });
});
