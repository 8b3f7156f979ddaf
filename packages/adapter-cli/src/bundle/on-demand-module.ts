import type { Esbuild } from './esbuild.js';

/** A module of ours as CommonJS that asks for what it imports where it uses it. */
export interface OnDemandModule {
  readonly code: string;
  /** What it imports, and what it uses of that by name. */
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>;
}

// Under a name that stands nowhere else: the names that stay in the code are looked for in its text.
const namespace = /^ *import \* as (\w+) from '([^']+)';$/gm;
const whole = 'namespace:';
const helper = /^(?:"use strict";\n)?(?:var __\w+ = .*\n(?:[ })].*\n)*)*/;
const exported =
  /^var (\w+_exports) = \{\};\n(?:__export\(\1, \{\n((?:.*\n)*?)\}\);\n)?module\.exports = .*\n/;
const imported = /^var (\w+) = (?:__toESM\()?require\("([^"]+)"\)\)?;\n/gm;
const passedOn = /^__reExport\(\w+, (require\("[^"]+"\)), module\.exports\);$/gm;
const annotation = /^\/\/ Annotate the CommonJS export names[\s\S]*$/m;

/** Turns the source of a module into one that evaluates nothing of what it imports before it uses it. */
export async function onDemandModule(
  source: string,
  compile: Esbuild['transform'],
  define: Record<string, string>,
): Promise<OnDemandModule> {
  const { code } = await compile(source.replace(namespace, `import { all as $1 } from '${whole}$2';`), {
    define,
    format: 'cjs',
    loader: 'ts',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: { compilerOptions: { target: 'es2023', strict: true } },
  });
  const paths = new Map<string, string>();
  const body = code
    .replace(helper, '')
    .replace(annotation, '')
    .replace(
      exported,
      (_, _name, lines = '') => `module.exports = {\n  __esModule: true,\n${getters(lines)}};\n`,
    )
    .replace(passedOn, 'Object.defineProperties(module.exports, Object.getOwnPropertyDescriptors($1));')
    .replace(imported, (_, name: string, path: string) => {
      if (!name.startsWith('import_')) throw new Error(`${path} is imported in a way that is not known here`);
      if (path.startsWith(whole)) paths.set(`${name}.all`, path.slice(whole.length));
      else paths.set(name, path);
      return '';
    });
  const uses = new Map<string, Set<string>>();
  for (const path of pathsIn(body)) uses.set(path, new Set());
  const onDemand = inline(body, paths, uses);
  const [left] = /\b__(?:export|reExport|toCommonJS|toESM)\b/.exec(onDemand) ?? [];
  // The bundler writes modules in another way than it did; better no program than one that does not start.
  if (left !== undefined) throw new Error(`${left} is used in a way that is not known here`);
  return { code: onDemand, uses };
}

/** What a module exports is asked for each time, so that what it passes on stays unevaluated too. */
function getters(lines: string): string {
  return lines.replace(/^ {2}([\w$]+): \(\) => (.*?),?$/gm, '  get $1() { return $2; },');
}

/** Puts what is imported in the place of the name that it was given. What has no such place is imported for what it does. */
function inline(body: string, paths: ReadonlyMap<string, string>, uses: Map<string, Set<string>>): string {
  let text = body;
  for (const [name, path] of paths) {
    const used = uses.get(path) ?? new Set();
    let isUsed = false;
    text = text.replace(
      new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?:\\.([\\w$]+)|(?![\\w$]))`, 'g'),
      (_, key?: string) => {
        if (key === undefined) throw new Error(`${path} is used as a whole`);
        used.add(key);
        isUsed = true;
        return `(require(${JSON.stringify(path)})).${key}`;
      },
    );
    if (!isUsed) text = `require(${JSON.stringify(path)});\n${text}`;
    uses.set(path, used);
  }
  return text;
}

function pathsIn(body: string): string[] {
  return [...body.matchAll(/\b(?:import|require)\("([^"]+)"\)/g)].map(([, path = '']) => path);
}
