import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Esbuild, Plugin } from './esbuild.js';

/** Which modules most starts do without. */
export interface RestOptions {
  /** The folder that the names of the others start from. */
  readonly root: string;
  /** Folders of ours, all of whose modules are among them. */
  readonly folders: readonly string[];
  /** Packages of others that are only ever imported late. */
  readonly packages: readonly string[];
  /** What bundles those packages. */
  readonly plugins: Plugin[];
}

/** Those modules in a file of their own, which is not read before one of them is used. */
export interface RestFile {
  takes(file: string): boolean;
  /** Puts a module there and gives back what stands in its place in the program. */
  put(file: string, code: string): string;
  readonly plugin: Plugin;
}

/** Its parameters are those that `require` would give it, and the means to import; see ../start/load-program.ts. */
export const asFunction = (code: string) =>
  `(function (exports, require, module, __filename, __dirname, __import) {${code.replace(
    /(?<![.\w$])import\(/g,
    '__import(',
  )}\n})`;

/** Gathers these modules while the program is bundled, and writes their file when that is done. */
export function restFile({ root, folders, packages, plugins }: RestOptions): RestFile {
  const starts = folders.map((folder) => join(root, folder, '/'));
  const bodies = new Map<string, string>();

  const put = (id: string, code: string): string => {
    const asked: string[] = [];
    const body = code.replace(/\b(?:require|import)\("[^"]+"\)/g, (expression) => {
      if (!asked.includes(expression)) asked.push(expression);
      return `__asked[${asked.indexOf(expression)}]()`;
    });
    bodies.set(id, body);
    const answers = asked.map((expression) => `() => ${expression}`).join(', ');
    return `require("rest:").modules[${JSON.stringify(id)}](module, [${answers}]);`;
  };

  return {
    takes: (file) => starts.some((start) => file.startsWith(start)),
    put: (file, code) => put(file.slice(join(root, '/').length).replaceAll('\\', '/'), code),
    plugin: {
      name: 'rest-file',
      setup({ esbuild, initialOptions, ...build }) {
        build.onStart(() => bodies.clear());
        build.onResolve({ filter: /^rest:$/ }, ({ path }) => ({ path, external: true }));
        build.onResolve({ filter: new RegExp(`^(${packages.join('|')})$`) }, ({ path, kind, resolveDir }) =>
          kind === 'dynamic-import' ? { path, namespace: 'rest', pluginData: resolveDir } : undefined,
        );
        build.onLoad({ filter: /./, namespace: 'rest' }, async ({ path, pluginData }) => {
          const { outputFiles } = await esbuild.build({
            stdin: { contents: `export * from ${JSON.stringify(path)};`, resolveDir: pluginData },
            bundle: true,
            write: false,
            format: 'cjs',
            platform: 'node',
            plugins,
            ...(initialOptions.alias === undefined ? {} : { alias: initialOptions.alias }),
            ...(initialOptions.target === undefined ? {} : { target: initialOptions.target }),
          });
          bodies.set(path, outputFiles[0]?.text ?? '');
          return { contents: `require("rest:").modules[${JSON.stringify(path)}](module);` };
        });
        build.onEnd(async () => {
          const file = resolve(initialOptions.outdir ?? '', 'rest.js');
          // The others are written after this.
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, asFunction(await text(bodies, esbuild, initialOptions.minify === true)));
        });
      },
    },
  };
}

async function text(bodies: ReadonlyMap<string, string>, esbuild: Esbuild, minify: boolean): Promise<string> {
  const functions = [...bodies]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, body]) => `${JSON.stringify(id)}: function (module, __asked) {\n${body}\n}`);
  const { code } = await esbuild.transform(`exports.modules = {\n${functions.join(',\n')}\n};`, { minify });
  return `"use strict";${code}`;
}
