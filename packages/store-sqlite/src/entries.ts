import type { ReadOptions, Retention, StreamEntry } from '@argusai/core';
import { numberOf, safely, textOf } from './column.js';
import type { Connection } from './connection.js';
import { fromStoredText, nextRevision } from './documents.js';

const columns = [safely.integer('sequence'), safely.real('at'), safely.text('value')].join();

/** Appends to a stream and drops what its retention no longer covers. */
export function appendEntry(
  connection: Connection,
  stream: string,
  text: string,
  at: number,
  { maxEntries, maxAgeMs }: Retention,
): StreamEntry {
  const sequence = nextRevision(connection);
  connection.run(
    'INSERT INTO entries (stream, sequence, at, value) VALUES (?, ?, ?, ?)',
    stream,
    sequence,
    at,
    text,
  );
  if (maxAgeMs !== undefined) {
    connection.run('DELETE FROM entries WHERE stream = ? AND at < ?', stream, at - maxAgeMs);
  }
  if (maxEntries !== undefined) {
    const sql = `DELETE FROM entries WHERE stream = ?1 AND sequence <= (
      SELECT sequence FROM entries WHERE stream = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)`;
    connection.run(sql, stream, maxEntries);
  }
  return { sequence, at, value: fromStoredText(text) };
}

/** Reads entries in order. */
export function readEntries(
  connection: Connection,
  stream: string,
  { after = 0, last = -1 }: ReadOptions,
): StreamEntry[] {
  // A negative limit is none.
  const sql = `SELECT ${columns} FROM entries WHERE stream = ? AND sequence > ? ORDER BY sequence DESC LIMIT ?`;
  const rows = connection.rows(sql, stream, after, last);
  return rows.reverse().map(([sequence, at, value]) => {
    return { sequence: numberOf(sequence), at: numberOf(at), value: fromStoredText(textOf(value)) };
  });
}
