import { join } from 'node:path';
import { describeStateStore } from '@argusai/core/testing';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';

describeStateStore('the SQLite store', {
  open: ({ clock }) => createSqliteStore({ dir: makeFolder(), clock }),
  shared: {
    module: new URL('./fixtures/open-store.mjs', import.meta.url),
    makePlace: makeFolder,
    open: (dir) => createSqliteStore({ dir }),
    verify(dir) {
      const database = new Database(join(dir, 'argus.db'));
      expect(database.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
      database.close();
    },
  },
});
