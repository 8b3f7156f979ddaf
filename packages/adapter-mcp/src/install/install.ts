import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  ArgusError,
  type Envelope,
  hostFileKept,
  isArgusError,
  nearest,
  projectRefused,
  type StructuredError,
  usageInvalid,
} from '@argusai/core';
import { unknownWord } from '../command-line/wrong-usage.js';
import { isInside, whyNever } from '../project/project-folders.js';
import { addToFile } from './add-to-file.js';
import { type Host, hostFor, hosts } from './hosts.js';
import { realPlace } from './real-place.js';

const formats = ['pretty', 'json'];

/** The hosts that have a file in a project. */
const written = hosts.filter(({ file }) => file !== undefined).map(({ name }) => name);

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
  readonly written?: {
    readonly file: string;
    /** Where it really lies, when a link leads elsewhere. */
    readonly real?: string;
    readonly changed: boolean;
  };
}

/** Answers `argus mcp install [HOST] [--write]`: shows what hosts have to be told or, in the project's own files, tells them. */
export function install(argv: readonly string[], cwd: string): Installed {
  // What is wrong with the rest is told in the form that was asked for.
  const isEnvelope = /(^| )--format[ =]json( |$)/.test(argv.join(' '));
  let given: Given | undefined;
  try {
    given = read(argv);
    const { text, data } = answer(given, cwd);
    return { isEnvelope, text: isEnvelope ? lineOf({ ok: true, data }) : text };
  } catch (thrown) {
    if (!isArgusError(thrown)) throw thrown;
    const { error } = thrown;
    if (isEnvelope) return { isEnvelope, error, text: lineOf({ ok: false, error }) };
    // Nobody is sent away without what he came for, once it is known what that is; what would not work he has not come for.
    const isOfUse = error.code !== projectRefused.code;
    const host = hosts.find(({ name }) => isOfUse && given?.names.includes(name));
    return { isEnvelope, error, text: host ? snippet(hostFor(host, folderOf(given, cwd))) : '' };
  }
}

function lineOf(envelope: Envelope): string {
  return `${JSON.stringify(envelope)}\n`;
}

function answer({ write, project, names }: Given, cwd: string): Answer {
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
  const folder = folderOf({ project }, cwd);
  const why = whyNever(realPlace(folder));
  // Whoever only looks may do so anywhere, and then names the folder himself.
  if (why !== undefined && (write || project !== undefined))
    throw new ArgusError(projectRefused, {
      message: `${folder} is ${why}, which is never a project`,
      details: { folder, allowed: [] },
    });
  const told = why === undefined ? chosen.map((host) => hostFor(host, folder)) : chosen;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrong(`There is no folder ${folder}, which --project names`);
  if (!write) return { text: told.map(snippet).join('\n'), data: { hosts: told } };
  if (name === undefined) throw wrong(`Name the host to write for: ${written.join(', ')}`);
  if (first.file === undefined)
    throw wrong(`${first.title} has no file in a project; put this into ${first.place}`);
  const file = resolve(folder, first.file);
  const home = realPlace(folder);
  const real = realPlace(file);
  if (!isInside(real, home))
    throw new ArgusError(hostFileKept, {
      message: `${file} was left as it is: it is ${real}, outside of the project. Add this yourself`,
      details: { file, real, reason: 'outside' },
    });
  const changed = addToFile(file, first.key, first.entry);
  const isElsewhere = real !== resolve(home, first.file);
  const named = isElsewhere ? `${file}, which is ${real},` : file;
  return {
    text: `${named} ${changed ? `now starts argus for ${first.title}` : 'starts argus already'}\n`,
    data: { hosts: [{ ...first, written: { file, ...(isElsewhere ? { real } : {}), changed } }] },
  };
}

/** Hosts are looked for later, where more can be said. */
const writable = (argv: readonly string[]) => ({
  valued: ['project', 'format'],
  flags: ['write'],
  words: { kind: 'host', known: argv },
});

/** What it was asked for. */
interface Given {
  readonly write: boolean;
  readonly project: string | undefined;
  readonly names: readonly string[];
}

function read(argv: readonly string[]): Given {
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

/** The folder that is meant. */
function folderOf(given: Pick<Given, 'project'> | undefined, cwd: string): string {
  return resolve(cwd, given?.project ?? '.');
}

/** What a host has to be told, to be pasted. */
function snippet({ title, place, key, entry }: Host): string {
  return `${title} (${place}):\n${JSON.stringify({ [key]: { argus: entry } }, null, 2)}\n`;
}

function wrong(message: string): ArgusError {
  return new ArgusError(usageInvalid, { message });
}
