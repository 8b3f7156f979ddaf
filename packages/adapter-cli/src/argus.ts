#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { lostOutput } from './process/lost-output.js';
import { useOf } from './start/compiled-file.js';
import { loadProgram } from './start/load-program.js';

declare const ARGUS_VERSION: string;
// This file is CommonJS once it is built. To make a `require` of one's own takes Node milliseconds.
declare const require: NodeJS.Require;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // Asked for by scripts, again and again; nothing is loaded to answer it.
  try {
    writeSync(1, `${ARGUS_VERSION}\n`);
  } catch (error) {
    // A reader who has gone away is no error, a full disk is.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
      process.stderr.write(lostOutput);
      process.exitCode = 1;
    }
  }
} else if (argv[0] === 'mcp' && !argv.includes('--help') && !argv.includes('-h')) {
  // A program of its own, which serves until its client has gone. The help about it is like that about any command.
  const program = [join(import.meta.dirname, 'argus.js')];
  void import('@argusai/adapter-mcp').then(({ runMcp }) =>
    runMcp(argv.slice(1), { version: ARGUS_VERSION, program, name: 'argus mcp' }),
  );
} else {
  const file = join(import.meta.dirname, 'program.js');
  const { runProcess, keepCompiled } = loadProgram(file, ARGUS_VERSION, useOf(argv), require);
  const program = join(import.meta.dirname, 'argus.js');
  void runProcess(argv, { version: ARGUS_VERSION, program, keepCompiled });
}
