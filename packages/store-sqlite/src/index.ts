export { createSqliteStore } from './create-sqlite-store.js';
