import { basename, extname } from 'node:path';
import { isArgusError } from '../model/argus-error.js';
import { property } from '../model/property.js';
import { requireTrusted, requireTrustedCode } from '../trust/trusted.js';
import { type FoundConfig, readNamed } from './find-config.js';
import { defaultExport, importModule } from './import-module.js';
import { jsonMistake } from './json-mistake.js';
import { loadedInTime } from './loaded-in-time.js';
import { refuseOtherEncodings } from './other-encoding.js';
import { configError, type FindLine, type Problem } from './problem.js';
import { reasonOf } from './reason.js';
import { repeatedKeys } from './repeated-keys.js';
import { sourceLines } from './source-lines.js';

/** What a configuration file says, before it is validated. */
export interface ReadConfig {
  readonly data: unknown;
  /** Finds the line of a path, for files that have such lines. */
  findLine(): Promise<FindLine>;
}

const nowhere: FindLine = () => undefined;

/** How deep data may be nested, as js-yaml has it: whatever walks it later does so on the stack. */
const deepest = 100;

/** Whether a configuration is a program and no data: to read it is to run it. */
export function isCode(file: string): boolean {
  return !['.json', '.yaml', '.yml', ''].includes(extname(file));
}

/** Reads a configuration that was found, unless others could have put it there. */
export async function readTrusted(
  { file }: Pick<FoundConfig, 'file'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadConfig> {
  if (isCode(file)) requireTrustedCode(file, { env });
  else requireTrusted(file, { env });
  // Only now: what was there when it was found could have been put there by others, and be gone since.
  return await readConfig(readNamed(file));
}

/** Understands a configuration file in any of its formats. An empty one is an empty configuration. */
export async function readConfig({ file, text }: FoundConfig): Promise<ReadConfig> {
  if (text.trim() === '') return { data: {}, findLine: async () => nowhere };
  refuseOtherEncodings(file, text);
  switch (extname(file)) {
    case '.json':
      return readJson(file, text);
    case '':
    case '.yaml':
    case '.yml':
      return await readYaml(file, text);
    default:
      return { data: await readModule(file), findLine: async () => nowhere };
  }
}

function readJson(file: string, text: string): ReadConfig {
  const data = shallow(file, parseJson(file, text.replace(/^\uFEFF/, '')));
  const isManifest = basename(file) === 'package.json';
  const repeated = repeatedKeys(text).filter(({ path }) => !isManifest || path[0] === 'argus');
  if (repeated.length > 0) {
    throw configError(
      file,
      repeated.map(({ path, key, line }) => ({
        path: isManifest ? path.slice(1) : path,
        message: isTwice(key),
        line,
      })),
    );
  }
  if (!isManifest) return { data: data ?? {}, findLine: () => sourceLines(text) };
  const findLine = async (): Promise<FindLine> => {
    const find = await sourceLines(text);
    return (path) => find(['argus', ...path]);
  };
  return { data: property(data, 'argus') ?? {}, findLine };
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `is not valid JSON: ${reasonOf(error)}`;
    // Node tells the position of some mistakes only.
    const position = /position (\d+)/.exec(message)?.[1] ?? jsonMistake(text);
    const line = text.slice(0, Number(position)).split('\n').length;
    throw configError(file, [{ path: [], message, line }], nowhere, error);
  }
}

async function readYaml(file: string, text: string): Promise<ReadConfig> {
  const plain = await readPlainYaml(file, text);
  return plain
    ? { data: shallow(file, plain.data ?? {}), findLine: () => sourceLines(text) }
    : await readAnyYaml(file, text);
}

/**
 * Reads YAML in a third of the time that the thorough reader takes, which every start would wait for. Gives back nothing
 * where that one is to have the word: mistakes, which it tells better, and aliases, which can stand for more than fits
 * into memory.
 */
async function readPlainYaml(file: string, text: string): Promise<{ data: unknown } | undefined> {
  const { CORE_SCHEMA, load } = await import('js-yaml');
  try {
    const data = load(text, { schema: CORE_SCHEMA });
    return text.includes('*') || text.includes('<<') ? undefined : { data };
  } catch (error) {
    // The thorough reader would run out of stack.
    if (reasonOf(error).includes('exceeded maxDepth')) throw tooDeep(file);
    return undefined;
  }
}

async function readAnyYaml(file: string, text: string): Promise<ReadConfig> {
  const { isAlias, LineCounter, parseDocument, visit } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ code, message, pos }): Problem => {
    const { line } = lineCounter.linePos(pos[0]);
    const quoted = lineOf(text, line);
    if (code === 'DUPLICATE_KEY')
      return { path: pathTo(document.contents, pos[0]), message: isTwice(keyAt(text, pos[0])), line };
    if (code === 'MULTIPLE_DOCS') {
      return { path: [], message: 'has a second document, expected only one', line };
    }
    return { path: [], message: `is not valid YAML: ${message}, at ${quoted}`, line };
  });
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw tooDeep(file);
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
        return;
      }
      if (anchors.has(node.source)) return;
      const at = node.range?.[0] ?? 0;
      const { line } = lineCounter.linePos(at);
      const message = `there is no anchor &${node.source} before the alias *${node.source}, at ${lineOf(text, line)}`;
      problems.push({ path: pathTo(document.contents, at), message, line });
    },
  });
  if (problems.length > 0) throw configError(file, problems);
  try {
    return { data: shallow(file, document.toJS() ?? {}), findLine: () => sourceLines(text) };
  } catch (error) {
    if (isArgusError(error)) throw error;
    // Aliases that refer to so much that it would not fit into memory. The name of the class says nothing to people.
    const reason = error instanceof Error ? error.message : reasonOf(error);
    throw configError(file, [{ path: [], message: `is not valid YAML: ${reason}` }], nowhere, error);
  }
}

/** What was read, unless it is too deep. Level by level, each thing once: what has no end is told of where it is validated. */
function shallow(file: string, data: unknown): unknown {
  const seen = new Set<unknown>();
  let level = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw tooDeep(file);
    level = level.flatMap((one): unknown[] => {
      if (typeof one !== 'object' || one === null || seen.has(one)) return [];
      seen.add(one);
      return Object.values(one);
    });
  }
  return data;
}

function tooDeep(file: string) {
  return configError(file, [{ path: [], message: `is nested deeper than ${deepest} levels` }]);
}

/** A line of a text, in quotes. */
function lineOf(text: string, line: number): string {
  return JSON.stringify((text.split('\n')[line - 1] ?? '').trim());
}

/** The path of the innermost value that a place of a YAML text lies in. */
function pathTo(node: unknown, at: number): (string | number)[] {
  const items = property(node, 'items');
  for (const [index, item] of Array.isArray(items) ? items.entries() : []) {
    const key = property(property(item, 'key'), 'value');
    const value = key === undefined ? item : property(item, 'value');
    const range = property(value, 'range');
    if (Array.isArray(range) && range[0] <= at && at < range[1])
      return [key === undefined ? index : String(key), ...pathTo(value, at)];
  }
  return [];
}

/** The key that begins at a place of a YAML text, without its quotes. */
function keyAt(text: string, start: number): string {
  const [, double, single, plain = ''] =
    /^(?:"([^"]*)"|'([^']*)'|([^:\n]*))/.exec(text.slice(start).trimStart()) ?? [];
  return double ?? single ?? plain.trim();
}

const isTwice = (key: string) => `the key ${JSON.stringify(key)} is there twice`;

async function readModule(file: string): Promise<unknown> {
  try {
    const exported = defaultExport(await importModule(file));
    const data = typeof exported === 'function' ? await loadedInTime(async () => exported()) : exported;
    if (data !== undefined) return data;
  } catch (error) {
    throw configError(file, [{ path: [], message: `cannot be loaded: ${reasonOf(error)}` }], nowhere, error);
  }
  const message = 'exports no configuration, expected an object or a function as its default export';
  throw configError(file, [{ path: [], message }]);
}
