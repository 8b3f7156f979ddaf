#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { join } from 'node:path';

declare const ARGUS_VERSION: string;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  writeSync(1, `${ARGUS_VERSION}\n`);
} else {
  const program = [join(import.meta.dirname, 'argus-mcp.js')];
  void import('./index.js').then(({ runMcp }) => runMcp(argv, { version: ARGUS_VERSION, program }));
}
