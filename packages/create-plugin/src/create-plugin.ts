#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run } from './run.js';
import { terminalAsk } from './terminal-ask.js';

declare const ARGUS_CORE_VERSION: string;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const ask = terminalAsk();

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  ...(ask === undefined ? {} : { ask }),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  template: fileURLToPath(new URL('../template', import.meta.url)),
  coreVersion: ARGUS_CORE_VERSION,
  version,
  year: new Date().getFullYear(),
});
