import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Host, hosts } from './hosts.js';

/** What came of it: what to print, and whether it went well. */
export interface Installed {
  readonly text: string;
  readonly ok: boolean;
}

/** Answers `argus mcp install [HOST] [--write]`: shows what hosts have to be told or, in the project's own files, tells them. */
export function install(argv: readonly string[], cwd: string): Installed {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { write: { type: 'boolean' }, project: { type: 'string' } },
  });
  const [name] = positionals;
  const chosen = hosts.filter((host) => name === undefined || host.name === name);
  const known = hosts.map((host) => host.name).join(', ');
  if (chosen.length === 0) return { ok: false, text: `There is no host ${name}; there are ${known}\n` };
  if (values.write !== true) return { ok: true, text: chosen.map(snippet).join('\n') };
  if (name === undefined) return { ok: false, text: `Name the host to write for: ${known}\n` };
  return write(chosen[0] as Host, values.project ?? cwd);
}

/** What a host has to be told, to be pasted. */
function snippet({ title, place, key, entry }: Host): string {
  return `${title} (${place}):\n${JSON.stringify({ [key]: { argus: entry } }, null, 2)}\n`;
}

/** Adds the server to the file of a host, and leaves everything else in it as it is. */
function write(host: Host, folder: string): Installed {
  const { file, key, entry } = host;
  if (file === undefined) return { ok: false, text: `Paste it yourself.\n${snippet(host)}` };
  const path = join(folder, file);
  const before = existsSync(path) ? parsed(readFileSync(path, 'utf8')) : {};
  const servers = before?.[key] ?? {};
  if (!before || typeof servers !== 'object' || Array.isArray(servers)) {
    return {
      ok: false,
      text: `${path} is no JSON that something could be added to. Paste it yourself.\n${snippet(host)}`,
    };
  }
  const text = `${JSON.stringify({ ...before, [key]: { ...servers, argus: entry } }, null, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return { ok: true, text: `${path} now starts argus for ${host.title}\n` };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Comments, or a mistake: whoever wrote it must not lose it.
    return undefined;
  }
}
