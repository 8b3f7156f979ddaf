/** Modules of Node that take milliseconds to load, and that a short command does without. */
export const lateModules = [
  'child_process',
  'crypto',
  'fs/promises',
  'module',
  'net',
  'timers/promises',
  'tty',
];

/** What `fs/promises` is mostly used for, and `fs`, which is there already, has as well. */
const fromFs = new Set([
  'access',
  'lstat',
  'mkdir',
  'readFile',
  'readdir',
  'realpath',
  'rm',
  'stat',
  'statfs',
  'writeFile',
]);

type Lookup = (key: string) => unknown;

/**
 * Gives the program a `require` that answers `late:NAME` with something that looks like that module of Node and loads it
 * when something of it is first used.
 */
export function withLateModules(require: NodeJS.Require): NodeJS.Require {
  const given = new Map<string, object>();
  const requireLate = (id: string): unknown => {
    if (!id.startsWith('late:')) return require(id);
    const known = given.get(id) ?? lateModule(lookupIn(id.slice('late:'.length), require));
    given.set(id, known);
    return known;
  };
  return Object.assign(requireLate, require);
}

// Behind the object and not in its place: whoever copies a module to import from it copies its prototype along.
function lateModule(lookUp: Lookup): object {
  const found = new Map<string, unknown>();
  const get = (_: object, key: string | symbol): unknown => {
    if (!isExport(key)) return undefined;
    if (!found.has(key)) found.set(key, lookUp(key));
    return found.get(key);
  };
  return Object.create(new Proxy({}, { get }));
}

/** Not what bundled code asks a module for to see of which kind it is. */
function isExport(key: string | symbol): key is string {
  return typeof key === 'string' && key !== '__esModule' && key !== 'then';
}

function lookupIn(name: string, require: NodeJS.Require): Lookup {
  const load = () => process.getBuiltinModule(`node:${name}`) as unknown as Record<string, unknown>;
  if (name === 'fs/promises') return (key) => (fromFs.has(key) ? promised(key) : load()[key]);
  // The class of every CommonJS module has this too, without all that comes with the module named so.
  const Module = require.main?.constructor as unknown as Record<string, unknown> | undefined;
  if (name === 'module') return (key) => (key === 'createRequire' && Module?.[key]) || load()[key];
  return (key) => load()[key];
}

function promised(key: string): unknown {
  const { [key]: plain } = process.getBuiltinModule('node:fs') as unknown as Record<string, Plain>;
  return plain && process.getBuiltinModule('node:util').promisify(plain.native ?? plain);
}

type Plain = ((...args: unknown[]) => void) & { readonly native?: (...args: unknown[]) => void };
