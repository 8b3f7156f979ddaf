import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { argumentList } from '../../model/argument-list.js';
import type { RunOwner } from '../runs/run-record.js';
import { processStat } from './process-stat.js';

/** What stands for the start of a process that could not be told. */
export const unknownStart = 'unknown';

/** This process, as the owner of a run. */
export async function ownIdentity(): Promise<RunOwner> {
  const startedAt = await processStart(process.pid);
  return { host: hostname(), pid: process.pid, startedAt: startedAt ?? unknownStart };
}

/**
 * When a process began, in the system's own terms: good to tell it from a later one with the same number, and for
 * nothing else. Undefined when there is no such process, or only what its parent has not yet taken note of. It throws when
 * that cannot be told, because "could not look" must never read as "is dead".
 */
export async function processStart(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxStart(pid) : listedStart(pid);
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await processStat(pid);
  return stat && !stat.hasEnded ? `${bootId()}/${stat.ticks}` : undefined;
}

let knownBoot: string | undefined;

/** Ticks count from the start of the system, so they repeat after every start; this does not. */
function bootId(): string {
  knownBoot ??= readBootId();
  return knownBoot;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Some sandboxes hide it. The ticks alone still tell processes of one start of the system apart.
    return '';
  }
}

function listedStart(pid: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 5_000, env: { ...process.env, LC_ALL: 'C' } };
    const args = argumentList(['-o', 'state=', '-o', 'lstart=', '-p', `${pid}`]);
    execFile('ps', args, options, (error, stdout) => {
      // The exit code 1 says that it lists no such process.
      if (error && error.code !== 1) return reject(error);
      const [state = '', ...start] = stdout.trim().split(/\s+/);
      resolve(state === '' || state.startsWith('Z') ? undefined : start.join(' '));
    });
  });
}
