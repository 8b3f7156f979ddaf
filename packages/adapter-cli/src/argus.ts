#!/usr/bin/env node
import { writeSync } from 'node:fs';

declare const ARGUS_VERSION: string;

// The version is asked for by scripts, again and again; nothing is loaded to answer that.
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  writeSync(1, `${ARGUS_VERSION}\n`);
} else {
  void import('./process/run-process.js').then(({ runProcess }) => runProcess(argv, ARGUS_VERSION));
}
