import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, openAtEnd, whenAborted } from '@argusai/core';
import type { KeeperState } from '../programs/keeper-state.mjs';
import { programFile } from './program-file.js';

/** What a keeper is told to start. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly output: { readonly size: number; readonly files: number };
  readonly oneShot: boolean;
}

/** Why a keeper could not even begin. */
interface Trouble {
  readonly trouble: { readonly code: string; readonly message: string };
}

const replyTimeoutMs = 20_000;

/**
 * Starts a keeper for a folder and gives what it says of the command. It is `spawn` and not execa: the keeper must
 * go on when this process ends, in a session of its own, with nothing but files for its output, and execa is
 * made to stay with what it starts and to end it.
 */
export async function launchKeeper(
  dir: string,
  launch: Launch,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<KeeperState> {
  signal.throwIfAborted();
  const complaints = openAtEnd(join(dir, 'keeper.log'));
  const keeper = spawn(process.execPath, ['--max-semi-space-size=1', programFile('keeper'), dir], {
    detached: true,
    cwd: '/',
    // The user's environment is for the command; options for Node in it are not meant for the keeper.
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', complaints, complaints, 'pipe'],
  });
  closeSync(complaints);
  const reply = keeper.stdio[3] as Readable;
  const answer = answerOf(keeper, reply);
  // It ended before it had read everything; its exit says so.
  keeper.stdin?.on('error', () => undefined);
  keeper.stdin?.end(JSON.stringify(launch));
  let abandon: (reason: unknown) => void = () => undefined;
  const abandoned = new Promise<never>((_, reject) => {
    abandon = reject;
  });
  const cancel = clock.after(replyTimeoutMs, () => abandon(new Error('the keeper did not answer')));
  const release = whenAborted(signal, () => abandon(signal.reason));
  try {
    return await Promise.race([answer, abandoned]);
  } catch (error) {
    // Nothing was started yet, or it is noted in the folder, from where the caller removes it.
    keeper.kill('SIGTERM');
    throw error;
  } finally {
    cancel();
    release();
    reply.destroy();
    keeper.stdin?.destroy();
    keeper.unref();
  }
}

function answerOf(keeper: ChildProcess, reply: Readable): Promise<KeeperState> {
  const answer = new Promise<KeeperState>((resolve, reject) => {
    let said = '';
    reply.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    reply.once('error', reject);
    reply.once('close', () => {
      if (!said.endsWith('\n')) return reject(new Error('the keeper ended before it had started anything'));
      const answer: KeeperState | Trouble = JSON.parse(said);
      if (!('trouble' in answer)) return resolve(answer);
      const { code, message } = answer.trouble;
      reject(Object.assign(new Error(`the keeper could not begin: ${message}`), { code }));
    });
    keeper.once('error', reject);
  });
  // When nobody waits for it any more, how it ends does not matter.
  answer.catch(() => undefined);
  return answer;
}
