import { connect } from 'node:net';
import { type Clock, whenAborted } from '@argusai/core';
import type { Trouble, Wish } from '../programs/keeper.mjs';
import type { KeeperState } from '../programs/keeper-state.mjs';
import { withShortPath } from '../programs/short-path.mjs';

/** How a keeper is asked. */
export interface Asking {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Nobody listens there any more, or it ends just now: nothing of what was asked for was done. */
export class NoKeeper extends Error {
  override message = 'its keeper has gone';
}

const nobody: readonly unknown[] = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR'];

/** Asks the keeper at a socket in the folder of a run for something, and gives what it then says of the command. */
export async function askKeeper(
  runDir: string,
  socket: string,
  wish: Omit<Wish, 'until'>,
  { clock, timeoutMs, signal }: Asking,
): Promise<KeeperState> {
  signal?.throwIfAborted();
  const connection = withShortPath(runDir, socket, (path) => connect(path));
  const cancel = clock.after(timeoutMs, () => connection.destroy(new Error('the keeper did not answer')));
  const release = signal && whenAborted(signal, () => connection.destroy(signal.reason));
  // Not by the injected clock: the keeper compares it with its own.
  connection.write(`${JSON.stringify({ ...wish, until: Date.now() + timeoutMs })}\n`);
  try {
    const said = await connection.setEncoding('utf8').toArray();
    return stateOf(said.join(''));
  } catch (error) {
    throw nobody.includes((error as NodeJS.ErrnoException).code) ? new NoKeeper() : error;
  } finally {
    cancel();
    release?.();
    connection.destroy();
  }
}

function stateOf(said: string): KeeperState {
  if (!said.endsWith('\n')) throw new Error('the keeper ended before it had answered');
  const answer: KeeperState | Trouble = JSON.parse(said);
  if (!('trouble' in answer)) return answer;
  const { code, message } = answer.trouble;
  if (code === 'ENDING') throw new NoKeeper();
  throw Object.assign(new Error(`the keeper could not do it: ${message}`), { code });
}
