import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EngineAddress } from './engine.js';

/** The process of a private engine's daemon: stopped with SIGSTOP the engine hangs, SIGCONT lets it go on. */
export function engineProcess({ dockerRoot }: EngineAddress): number {
  const folder = dirname(dockerRoot);
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [program = '', ...args] = commandLine(name);
    return program.endsWith('dockerd') && args.some((argument) => argument.startsWith(folder));
  });
  if (pid === undefined) throw new Error(`No daemon works in ${folder}`);
  return Number(pid);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It ended since the folder was read.
    return [];
  }
}
