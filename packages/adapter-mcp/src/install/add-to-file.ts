import { isDeepStrictEqual } from 'node:util';
import { ArgusError, hostFileKept } from '@argusai/core';
import type { Host } from './hosts.js';
import { readIfThere, replaceFile } from './replace-file.js';

type Json = Readonly<Record<string, unknown>>;
type Reason = 'not-json' | 'other-shape' | 'would-lose' | 'other-entry';

/**
 * Adds the server to the file of a host. Everything else in the file stays as it is, or the file is not touched. False where the
 * server was there already.
 */
export function addToFile(path: string, key: Host['key'], entry: Host['entry']): boolean {
  const text = readIfThere(path);
  const before = text === undefined || text.trim() === '' ? {} : objectIn(path, text);
  const servers = before[key] ?? {};
  if (!isObject(servers)) throw kept(path, 'other-shape', `${key} in it is no list of servers by name`);
  if (isDeepStrictEqual(servers.argus, entry)) return false;
  if (servers.argus !== undefined)
    throw kept(path, 'other-entry', 'it has an entry for argus that is not the one of this version');
  const after = { ...before, [key]: { ...servers, argus: entry } };
  replaceFile(path, written(after, text ?? ''));
  return true;
}

function objectIn(path: string, text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw kept(path, 'not-json', `it is no plain JSON: ${(thrown as Error).message}`);
  }
  if (!isObject(value)) throw kept(path, 'other-shape', 'it holds no object');
  // A key that is there twice, a number with more digits than fit: what was read is not all that is written there.
  if (withoutSpace(text) !== JSON.stringify(value))
    throw kept(path, 'would-lose', 'not everything in it would be the same after it is written again');
  return value;
}

/** As the file was written before: the same indent, the same ends of lines. */
function written(value: Json, before: string): string {
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? '  ';
  const text = `${JSON.stringify(value, null, indent)}\n`;
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** JSON without the space between its parts; what is in texts stays. */
function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kept(file: string, reason: Reason, why: string): ArgusError {
  return new ArgusError(hostFileKept, {
    message: `${file} was left as it is: ${why}. Add this yourself`,
    details: { file, reason },
  });
}
