import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.js';

/** The steps from an empty file to the schema of today. Each is carried out once and never changed afterwards. */
export const migrations: readonly ((connection: Connection, now: number) => void)[] = [
  (connection, now) => {
    connection.execute(`
      CREATE TABLE store (id TEXT NOT NULL, revision INTEGER NOT NULL) STRICT;
      CREATE TABLE documents (
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        revision INTEGER NOT NULL,
        updated_at REAL NOT NULL,
        PRIMARY KEY (namespace, key)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE entries (
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        at REAL NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (stream, sequence)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX entries_by_age ON entries (stream, at);
    `);
    // Counting begins at the time in microseconds: a store that takes the place of a damaged one must not give out
    // the revisions of the old one again, which others may still hold in their hands.
    const revision = Math.max(0, Math.floor(now)) * 1000;
    connection.run('INSERT INTO store (id, revision) VALUES (?, ?)', randomUUID(), revision);
  },
];

/** Brings the schema up to date, also when several processes begin to at the same moment. */
export function migrate(connection: Connection, now: number): void {
  while (connection.schemaVersion() < migrations.length) {
    connection.immediately(() => {
      const version = connection.schemaVersion();
      migrations[version]?.(connection, now);
      if (version < migrations.length) connection.execute(`PRAGMA user_version = ${version + 1}`);
    });
  }
}
