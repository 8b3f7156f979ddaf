import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ArgusError, isArgusError, type StructuredError, usageInvalid } from '@argusai/core';
import { addToFile } from './add-to-file.js';
import { type Host, hosts } from './hosts.js';

/** What came of it: what to print, and what went wrong, if anything did. */
export interface Installed {
  readonly text: string;
  readonly error?: StructuredError;
}

/** Answers `argus mcp install [HOST] [--write]`: shows what hosts have to be told or, in the project's own files, tells them. */
export function install(argv: readonly string[], cwd: string): Installed {
  try {
    return answer(argv, cwd);
  } catch (thrown) {
    if (!isArgusError(thrown)) throw thrown;
    const host = hosts.find(({ name }) => argv.includes(name));
    // Nobody is sent away without what he came for.
    return { error: thrown.error, text: host ? snippet(host) : '' };
  }
}

function answer(argv: readonly string[], cwd: string): Installed {
  const { write, project, names } = read(argv);
  const [name] = names;
  const known = hosts.map((host) => host.name).join(', ');
  const chosen = hosts.filter((host) => name === undefined || host.name === name);
  const [first] = chosen;
  if (!first) throw wrong(`There is no host ${name}; there are ${known}`);
  if (names.length > 1) throw wrong(`Name one host, not ${names.join(' and ')}`);
  const folder = resolve(cwd, project ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrong(`There is no folder ${folder}, which --project names`);
  if (!write) return { text: chosen.map(snippet).join('\n') };
  if (name === undefined) throw wrong(`Name the host to write for: ${known}`);
  if (first.file === undefined)
    throw wrong(`${first.title} has no file in a project; put this into ${first.place}`);
  const path = resolve(folder, first.file);
  const isNew = addToFile(path, first.key, first.entry);
  return { text: isNew ? `${path} now starts argus for ${first.title}\n` : `${path} starts argus already\n` };
}

function read(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { write: { type: 'boolean' }, project: { type: 'string' } },
    });
    return { write: values.write === true, project: values.project, names: positionals };
  } catch (thrown) {
    throw wrong((thrown as Error).message);
  }
}

/** What a host has to be told, to be pasted. */
function snippet({ title, place, key, entry }: Host): string {
  return `${title} (${place}):\n${JSON.stringify({ [key]: { argus: entry } }, null, 2)}\n`;
}

function wrong(message: string): ArgusError {
  return new ArgusError(usageInvalid, { message });
}
