import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeStateStore } from '@argusai/core/testing';
import Database from 'libsql';
import { expect } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';

describeStateStore('the SQLite store', {
  open: ({ clock }) => createSqliteStore({ dir: makeFolder(), clock }),
  shared: {
    module: new URL('./fixtures/open-store.mjs', import.meta.url),
    makePlace: makeFolder,
    open: (dir) => createSqliteStore({ dir }),
    damage: (dir) => writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000)),
    verify(dir) {
      const database = new Database(join(dir, 'argus.db'));
      expect(database.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
      database.close();
      // Whoever moved a damaged file aside moved that one and nothing else.
      expect(readdirSync(dir).filter((file) => /corrupt-.*Z(-\d+)?$/.test(file)).length).toBeLessThanOrEqual(
        1,
      );
    },
  },
});
