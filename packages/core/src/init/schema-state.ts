import { lstatSync, readFileSync } from 'node:fs';
import { property } from '../model/property.js';

/** What becomes of the file for the schema: it is new, an older one of argus is renewed, or somebody else's is kept. */
export type SchemaState = 'new' | 'renewed' | 'kept';

/** Looks at what lies where the schema would be written. What argus did not write is not argus's to write over. */
export function schemaState(file: string, schema: object): SchemaState {
  const there = entryAt(file);
  if (!there) return 'new';
  return there.isFile() && titleIn(file) === property(schema, 'title') ? 'renewed' : 'kept';
}

function entryAt(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    // A folder on the way to it is none, or is closed to us: that is told when the file is written.
    return undefined;
  }
}

function titleIn(file: string): unknown {
  try {
    return property(JSON.parse(readFileSync(file, 'utf8')), 'title') ?? null;
  } catch {
    // Not to be read, or no JSON: argus writes neither.
    return null;
  }
}
