import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Plugin } from './esbuild.js';
import { type OnDemandModule, onDemandModule } from './on-demand-module.js';
import type { RestFile } from './rest-file.js';

/** What the plugin has to know of the program. */
export interface Program {
  readonly entry: string;
  /** The files of our own packages, by the names that they are imported by. */
  readonly packages: Readonly<Record<string, string>>;
  readonly define: Record<string, string>;
  /** Takes the modules that most starts do without. */
  readonly rest: RestFile;
}

/**
 * Bundles the program so that each module of ours is evaluated when something of it is first used, and not all of them at
 * the start: a command needs a small part of them. What comes from others stays as it is, and is evaluated as a whole.
 */
export function onDemand({ entry, packages, define, rest }: Program): Plugin {
  const modules = new Map<string, OnDemandModule>();
  const named = new Map<string, Set<string>>();

  const fileOf = (path: string, importer: string): string | undefined => {
    if (!path.startsWith('.')) return packages[path];
    const file = resolve(dirname(importer), path).replace(/\.js$/, '.ts');
    return file.endsWith('.ts') && existsSync(file) ? file : undefined;
  };

  return {
    name: 'on-demand',
    setup(build) {
      const visit = async (file: string): Promise<void> => {
        if (modules.has(file)) return;
        const module = await onDemandModule(readFileSync(file, 'utf8'), build.esbuild.transform, define);
        modules.set(file, module);
        for (const [path, names] of module.uses) {
          const own = fileOf(path, file);
          if (own !== undefined) await visit(own);
          else named.set(idOf(path, file), new Set([...(named.get(idOf(path, file)) ?? []), ...names]));
        }
      };
      build.onStart(async () => {
        modules.clear();
        named.clear();
        await visit(entry);
      });
      build.onResolve({ filter: /./ }, ({ path, kind, namespace, importer, resolveDir }) => {
        if (kind === 'entry-point' && resolve(resolveDir, path) === entry)
          return { path: entry, namespace: 'ours' };
        if (namespace !== 'ours') return undefined;
        const own = fileOf(path, importer);
        if (own !== undefined) return { path: own, namespace: 'ours' };
        // What is imported late is not asked for again and again.
        if (kind === 'dynamic-import') return undefined;
        return { path: `${idOf(path, importer)}${once}`, namespace: 'once', pluginData: dirname(importer) };
      });
      build.onLoad({ filter: /./, namespace: 'ours' }, ({ path }) => {
        const code = modules.get(path)?.code ?? '';
        return { contents: rest.takes(path) ? rest.put(path, code) : code, resolveDir: dirname(path) };
      });
      // Kept, because to ask Node for a module takes it a while, and what others export would be gathered anew.
      build.onLoad({ filter: /./, namespace: 'once' }, ({ path, pluginData }) => {
        const id = path.slice(0, -once.length);
        const contents = `module.exports = require(${JSON.stringify(isNodes(id) ? id : `${names}${id}`)});`;
        return { contents, resolveDir: pluginData };
      });
      // By name, because what nobody names is left out of the bundle.
      build.onResolve({ filter: new RegExp(`^${names}`) }, ({ path, resolveDir }) => ({
        path: path.slice(names.length),
        namespace: 'named',
        pluginData: resolveDir,
      }));
      build.onLoad({ filter: /./, namespace: 'named' }, ({ path, pluginData }) => ({
        contents: `export { ${[...(named.get(path) ?? [])].join(', ')} } from ${JSON.stringify(path)};`,
        resolveDir: pluginData,
      }));
    },
  };
}

const names = 'names:';
// Not a name from which a bundler could tell of which kind the module is.
const once = ' once';

function idOf(path: string, importer: string): string {
  return path.startsWith('.') ? resolve(dirname(importer), path) : path;
}

function isNodes(path: string): boolean {
  return path.startsWith('node:') || builtinModules.includes(path);
}
