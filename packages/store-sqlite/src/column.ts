import { damage } from './store-error.js';

/** What a column may hold in a file that something else may have written to. */
export type Column = Uint8Array | number | null | undefined;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * How columns are read: libsql ends the whole process when a text is not valid UTF-8, and in a damaged file any
 * column may have become such a text. So texts are read as bytes, and numbers as what SQLite makes of them.
 */
export const safely = {
  text: (column: string) => `CAST(${column} AS BLOB)`,
  integer: (column: string) => `CAST(${column} AS INTEGER)`,
  real: (column: string) => `CAST(${column} AS REAL)`,
};

/** The text of a column that was read safely. */
export function textOf(column: Column): string {
  if (!(column instanceof Uint8Array)) throw damage('a text is missing');
  try {
    return decoder.decode(column);
  } catch (thrown) {
    throw damage('a text cannot be read', thrown);
  }
}

/** The number of a column that was read safely. */
export function numberOf(column: Column): number {
  if (typeof column !== 'number') throw damage('a number is missing');
  return column;
}
