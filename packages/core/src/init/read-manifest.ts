import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseOtherEncodings } from '../config/other-encoding.js';
import { configError } from '../config/problem.js';
import { reasonOf } from '../config/reason.js';
import { isArgusError } from '../model/argus-error.js';

/** The package.json of a folder, if there is one. What is in a broken one cannot be told, and it may be a configuration. */
export function readManifest(dir: string): unknown {
  const file = join(dir, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    const text = readFileSync(file, 'utf8');
    refuseOtherEncodings(file, text);
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (isArgusError(error)) throw error;
    const message = `cannot be read: ${reasonOf(error)}`;
    throw configError(file, [{ path: [], message }], undefined, error);
  }
}
