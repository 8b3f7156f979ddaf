import { readFileSync, rmSync } from 'node:fs';
import { replaceOwnFile } from '@argusai/core';
import { bootSession, isSameSession } from './boot-session.js';
import { stampOf } from './file-access.js';
import { migrations } from './migrations.js';

/** What the name of the file adds to that of the database. */
export const heldSuffix = '-held';

/**
 * Reads which namespaces of a database may hold documents. Nothing when there is no such record, or when it is of
 * another database, of this one before something else was put in its place, of another schema, or from before the
 * machine was last started: nothing is ever synchronised for it, so a power failure may have taken the newest one.
 */
export function readHeld(database: string, stamp: string | undefined): readonly string[] | undefined {
  if (stamp === undefined) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(readFileSync(database + heldSuffix, 'utf8'));
  } catch {
    // Whatever is the matter with it, the database itself can be asked.
    return undefined;
  }
  if (!Array.isArray(record) || !record.every((part) => typeof part === 'string')) return undefined;
  const [schema, file, session, ...namespaces] = record;
  if (schema !== schemaName() || file !== stamp || session === undefined) return undefined;
  return isSameSession(session, bootSession()) ? namespaces : undefined;
}

/**
 * Replaces the record as a whole, so that nobody ever reads half of one. Only for whoever may write to the database
 * at this moment. That may be two, if it was just moved aside and another begun; what they then make of the one new
 * file is either no JSON or all of one record, and the stamp in it tells of which database.
 */
export function writeHeld(database: string, stamp: string, namespaces: readonly string[]): void {
  const record = [schemaName(), stamp, bootSession(), ...namespaces];
  replaceOwnFile(database + heldSuffix, JSON.stringify(record));
}

/** Removes the record; the database itself is asked from then on. */
export function removeHeld(database: string): void {
  rmSync(database + heldSuffix, { force: true });
}

/** Tells, without opening the database, that a namespace holds nothing. When it cannot be told, the answer is no. */
export function isSurelyEmpty(database: string, namespace: string): boolean {
  return readHeld(database, stampOf(database))?.includes(namespace) === false;
}

function schemaName(): string {
  return `schema ${migrations.length}`;
}
