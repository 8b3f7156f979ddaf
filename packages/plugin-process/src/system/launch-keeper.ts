import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, openAtEnd } from '@argusai/core';
import type { Trouble } from '../programs/keeper.mjs';
import { programFile } from './program-file.js';

const readyTimeoutMs = 20_000;

/** A keeper that listens, and stays also without a command until it is let go of. */
export interface NewKeeper {
  readonly socket: string;
  letGo(): void;
}

/**
 * Starts a keeper for a run. It is `spawn` and not execa: the keeper must go on when this process ends, in a session
 * of its own, with nothing but files for its output, and execa is made to stay with what it starts and to end it.
 */
export async function launchKeeper(runDir: string, clock: Clock): Promise<NewKeeper> {
  const complaints = openAtEnd(join(runDir, 'keeper.log'));
  const keeper = spawn(process.execPath, ['--max-semi-space-size=1', programFile('keeper'), runDir], {
    detached: true,
    cwd: '/',
    // The user's environment is for the commands; options for Node in it are not meant for the keeper.
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', complaints, complaints, 'pipe'],
  });
  closeSync(complaints);
  const news = keeper.stdio[3] as Readable;
  const letGo = () => void keeper.stdin?.destroy();
  keeper.stdin?.on('error', () => undefined);
  const cancel = clock.after(readyTimeoutMs, () => news.destroy(new Error('the keeper did not begin')));
  try {
    return { socket: await socketOf(keeper, news), letGo };
  } catch (error) {
    letGo();
    throw error;
  } finally {
    cancel();
    news.destroy();
    keeper.unref();
  }
}

function socketOf(keeper: ChildProcess, news: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    news.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    news.once('error', reject);
    news.once('close', () => {
      if (!said.endsWith('\n')) return reject(new Error('the keeper ended before it had begun'));
      const answer: { socket: string } | Trouble = JSON.parse(said);
      if ('socket' in answer) return resolve(answer.socket);
      const { code, message } = answer.trouble;
      reject(Object.assign(new Error(`the keeper could not begin: ${message}`), { code }));
    });
    keeper.once('error', reject);
  });
}
