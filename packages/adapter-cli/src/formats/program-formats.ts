import type { Format } from '../command-line/format.js';
import { json } from './json.js';
import { ndjson } from './ndjson.js';
import type { ProgramFormat } from './program-format.js';

/** All formats that are meant for other programs. */
export const programFormats: Readonly<Record<Exclude<Format, 'pretty'>, ProgramFormat>> = {
  json,
  ndjson,
};
