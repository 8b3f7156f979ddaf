import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  ArgusError,
  type Envelope,
  isArgusError,
  nearest,
  type StructuredError,
  usageInvalid,
} from '@argusai/core';
import { unknownWord } from '../command-line/wrong-usage.js';
import { addToFile } from './add-to-file.js';
import { type Host, hosts } from './hosts.js';

const formats = ['pretty', 'json'];

/** What came of it: what to print, and what went wrong, if anything did. */
export interface Installed {
  readonly text: string;
  readonly error?: StructuredError;
  /** What is printed is the envelope, which says everything. */
  readonly isEnvelope: boolean;
}

/** What was found or done, for people and for programs. */
interface Answer {
  readonly text: string;
  readonly data: { readonly hosts: readonly Told[] };
}

/** A host, what it has to be told, and what became of its file where it was to be written. */
interface Told extends Host {
  readonly written?: { readonly file: string; readonly changed: boolean };
}

/** Answers `argus mcp install [HOST] [--write]`: shows what hosts have to be told or, in the project's own files, tells them. */
export function install(argv: readonly string[], cwd: string): Installed {
  // What is wrong with the rest is told in the form that was asked for.
  const isEnvelope = /(^| )--format[ =]json( |$)/.test(argv.join(' '));
  try {
    const { text, data } = answer(argv, cwd);
    return { isEnvelope, text: isEnvelope ? lineOf({ ok: true, data }) : text };
  } catch (thrown) {
    if (!isArgusError(thrown)) throw thrown;
    const { error } = thrown;
    if (isEnvelope) return { isEnvelope, error, text: lineOf({ ok: false, error }) };
    const host = hosts.find(({ name }) => argv.includes(name));
    // Nobody is sent away without what he came for.
    return { isEnvelope, error, text: host ? snippet(host) : '' };
  }
}

function lineOf(envelope: Envelope): string {
  return `${JSON.stringify(envelope)}\n`;
}

function answer(argv: readonly string[], cwd: string): Answer {
  const { write, project, names } = read(argv);
  const [name] = names;
  const known = hosts.map((host) => host.name).join(', ');
  const chosen = hosts.filter((host) => name === undefined || host.name === name);
  const [first] = chosen;
  if (!first) {
    const meant = nearest(
      name ?? '',
      hosts.map((host) => host.name),
    );
    throw wrong(`There is no host ${name}; ${meant ? `did you mean ${meant}?` : `there are ${known}`}`);
  }
  if (names.length > 1) throw wrong(`Name one host, not ${names.join(' and ')}`);
  const folder = resolve(cwd, project ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrong(`There is no folder ${folder}, which --project names`);
  if (!write) return { text: chosen.map(snippet).join('\n'), data: { hosts: chosen } };
  if (name === undefined) throw wrong(`Name the host to write for: ${known}`);
  if (first.file === undefined)
    throw wrong(`${first.title} has no file in a project; put this into ${first.place}`);
  const file = resolve(folder, first.file);
  const changed = addToFile(file, first.key, first.entry);
  return {
    text: changed ? `${file} now starts argus for ${first.title}\n` : `${file} starts argus already\n`,
    data: { hosts: [{ ...first, written: { file, changed } }] },
  };
}

/** Hosts are looked for later, where more can be said. */
const writable = (argv: readonly string[]) => ({
  valued: ['project', 'format'],
  flags: ['write'],
  words: { kind: 'host', known: argv },
});

function read(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { write: { type: 'boolean' }, project: { type: 'string' }, format: { type: 'string' } },
    });
    const { format = 'pretty' } = values;
    if (!formats.includes(format))
      throw new Error(`There is no format ${format} here; there are ${formats.join(', ')}`);
    return { write: values.write === true, project: values.project, names: positionals };
  } catch (thrown) {
    throw wrong(unknownWord(argv, writable(argv)) ?? (thrown as Error).message);
  }
}

/** What a host has to be told, to be pasted. */
function snippet({ title, place, key, entry }: Host): string {
  return `${title} (${place}):\n${JSON.stringify({ [key]: { argus: entry } }, null, 2)}\n`;
}

function wrong(message: string): ArgusError {
  return new ArgusError(usageInvalid, { message });
}
