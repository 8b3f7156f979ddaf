import type { Json, StoredDocument, WriteCondition } from '@argusai/core';
import { type Column, numberOf, safely, textOf } from './column.js';
import type { Connection } from './connection.js';
import { damage } from './store-error.js';

const columns = [
  safely.text('key'),
  safely.text('value'),
  safely.integer('revision'),
  safely.real('updated_at'),
].join();

/** The newest version of a document. */
export function findDocument(
  connection: Connection,
  namespace: string,
  key: string,
): StoredDocument | undefined {
  const sql = `SELECT ${columns} FROM documents WHERE namespace = ? AND key = ?`;
  const row = connection.row(sql, namespace, key);
  return row && toDocument(namespace, row);
}

/** All documents of a namespace, in the order in which JavaScript sorts their keys. */
export function listDocuments(connection: Connection, namespace: string): StoredDocument[] {
  const rows = connection.rows(`SELECT ${columns} FROM documents WHERE namespace = ?`, namespace);
  return rows.map((row) => toDocument(namespace, row)).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Stores a document under a new revision. */
export function writeDocument(
  connection: Connection,
  namespace: string,
  key: string,
  text: string,
  now: number,
): number {
  const revision = nextRevision(connection);
  const sql = `INSERT INTO documents (namespace, key, value, revision, updated_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, revision = excluded.revision, updated_at = excluded.updated_at`;
  connection.run(sql, namespace, key, text, revision, now);
  return revision;
}

/** Removes a document, which takes a revision too. */
export function removeDocument(connection: Connection, namespace: string, key: string): number {
  connection.run('DELETE FROM documents WHERE namespace = ? AND key = ?', namespace, key);
  return nextRevision(connection);
}

/** Tells whether a namespace holds anything. */
export function hasDocuments(connection: Connection, namespace: string): boolean {
  return connection.row('SELECT 1 FROM documents WHERE namespace = ? LIMIT 1', namespace) !== undefined;
}

/**
 * The namespaces that hold documents. SQLite is led from one to the next, however many documents they hold; UNION ends
 * that also in a damaged file in which they come round again.
 */
export function listNamespaces(connection: Connection): string[] {
  const sql = `WITH RECURSIVE held (namespace) AS (
      SELECT min(namespace) FROM documents
      UNION SELECT (SELECT min(namespace) FROM documents WHERE namespace > held.namespace) FROM held)
    SELECT ${safely.text('namespace')} FROM held WHERE namespace IS NOT NULL`;
  // No name that can be asked for is lost where bytes are no text: it is none of them.
  return connection
    .rows(sql)
    .map(([name]) => (name instanceof Uint8Array ? Buffer.from(name).toString() : ''));
}

/** The revision of the newest write. */
export function newestRevision(connection: Connection): number {
  return numberOf(connection.row(`SELECT ${safely.integer('revision')} FROM store`)?.[0]);
}

/** Takes the next number of the store. Streams take theirs from the same counter. */
export function nextRevision(connection: Connection): number {
  const sql = `UPDATE store SET revision = revision + 1 RETURNING ${safely.integer('revision')}`;
  return numberOf(connection.row(sql)?.[0]);
}

/** The store's own identity. */
export function storeId(connection: Connection): string {
  return textOf(connection.row(`SELECT ${safely.text('id')} FROM store`)?.[0]);
}

/** Tells whether a write may go ahead. */
export function holds({ ifRevision }: WriteCondition, current: StoredDocument | undefined): boolean {
  return ifRevision === undefined || ifRevision === (current?.revision ?? 'absent');
}

/** Reads a value back from the text that was stored. */
export function fromStoredText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw damage('a stored value cannot be read', thrown);
  }
}

function toDocument(namespace: string, [key, value, revision, updatedAt]: Column[]): StoredDocument {
  return {
    namespace,
    key: textOf(key),
    value: fromStoredText(textOf(value)),
    revision: numberOf(revision),
    updatedAt: numberOf(updatedAt),
  };
}
