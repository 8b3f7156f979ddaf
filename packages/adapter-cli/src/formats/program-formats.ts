import type { Format } from '../command-line/format.js';
import { ofCheck } from './check-format.js';
import { githubResult } from './github.js';
import { healthResult } from './health.js';
import { json } from './json.js';
import { junitResult } from './junit.js';
import { nagiosResult } from './nagios.js';
import { ndjson } from './ndjson.js';
import type { ProgramFormat } from './program-format.js';

/** All formats that are meant for other programs. */
export const programFormats: Readonly<Record<Exclude<Format, 'pretty'>, ProgramFormat>> = {
  json,
  ndjson,
  junit: ofCheck(junitResult),
  github: ofCheck(githubResult),
  nagios: ofCheck(nagiosResult),
  health: ofCheck(healthResult),
};
