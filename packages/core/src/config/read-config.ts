import { basename, extname } from 'node:path';
import { property } from '../model/property.js';
import type { FoundConfig } from './find-config.js';
import { defaultExport, importModule } from './import-module.js';
import { configError, type FindLine, type Problem } from './problem.js';
import { reasonOf } from './reason.js';
import { sourceLines } from './source-lines.js';

/** What a configuration file says, before it is validated. */
export interface ReadConfig {
  readonly data: unknown;
  /** Finds the line of a path, for files that have such lines. */
  findLine(): Promise<FindLine>;
}

const nowhere: FindLine = () => undefined;

/** Understands a configuration file in any of its formats. An empty one is an empty configuration. */
export async function readConfig({ file, text }: FoundConfig): Promise<ReadConfig> {
  if (text.trim() === '') return { data: {}, findLine: async () => nowhere };
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
  const data = parseJson(file, text.replace(/^\uFEFF/, ''));
  if (basename(file) !== 'package.json') return { data: data ?? {}, findLine: () => sourceLines(text) };
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
    // Node tells the position, except where the text ends too early.
    const position = /position (\d+)/.exec(message)?.[1] ?? text.length;
    const line = text.slice(0, Number(position)).split('\n').length;
    throw configError(file, [{ path: [], message, line }], nowhere, error);
  }
}

async function readYaml(file: string, text: string): Promise<ReadConfig> {
  const plain = await readPlainYaml(text);
  return plain
    ? { data: plain.data ?? {}, findLine: () => sourceLines(text) }
    : await readAnyYaml(file, text);
}

/**
 * Reads YAML in a third of the time that the thorough reader takes, which every start would wait for. Gives back nothing
 * where that one is to have the word: mistakes, which it tells better, and aliases, which can stand for more than fits
 * into memory.
 */
async function readPlainYaml(text: string): Promise<{ data: unknown } | undefined> {
  if (text.includes('*') || text.includes('<<')) return undefined;
  const { CORE_SCHEMA, load } = await import('js-yaml');
  try {
    return { data: load(text, { schema: CORE_SCHEMA }) };
  } catch {
    return undefined;
  }
}

async function readAnyYaml(file: string, text: string): Promise<ReadConfig> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ code, message, pos }): Problem => {
    const { line } = lineCounter.linePos(pos[0]);
    const quoted = (text.split('\n')[line - 1] ?? '').trim();
    if (code === 'DUPLICATE_KEY') {
      return {
        path: [],
        message: `the key ${JSON.stringify(quoted.replace(/:.*/, ''))} is there twice`,
        line,
      };
    }
    return { path: [], message: `is not valid YAML: ${message}, at ${JSON.stringify(quoted)}`, line };
  });
  if (problems.length > 0) throw configError(file, problems);
  try {
    return { data: document.toJS() ?? {}, findLine: () => sourceLines(text) };
  } catch (error) {
    // Aliases that refer to nothing, or to so much that it would not fit into memory.
    throw configError(file, [{ path: [], message: `is not valid YAML: ${reasonOf(error)}` }], nowhere, error);
  }
}

async function readModule(file: string): Promise<unknown> {
  try {
    const exported = defaultExport(await importModule(file));
    const data = typeof exported === 'function' ? await exported() : exported;
    if (data !== undefined) return data;
  } catch (error) {
    throw configError(file, [{ path: [], message: `cannot be loaded: ${reasonOf(error)}` }], nowhere, error);
  }
  const message = 'exports no configuration, expected an object or a function as its default export';
  throw configError(file, [{ path: [], message }]);
}
