import { pause } from '@argusai/core';
import { type KeeperState, readState } from '../programs/keeper-state.mjs';
import type { Sighting } from '../records/sighting.js';
import { lives } from '../records/sighting.js';
import type { Tools } from './tools.js';

const pollMs = 5;
const patienceMs = 10_000;

/** Has the keeper of a command that has ended start it again, and waits until it has. */
export async function startAgain(
  tools: Tools,
  sighting: Sighting,
  signal: AbortSignal,
): Promise<KeeperState> {
  const { record, state } = sighting;
  if (!state) throw new Error(`nothing is known of the keeper of ${record.service}`);
  process.kill(state.keeper.pid, 'SIGUSR2');
  const giveUpAt = tools.clock.monotonic() + patienceMs;
  while (tools.clock.monotonic() < giveUpAt && (await lives(state.keeper))) {
    await pause(tools.clock, pollMs, signal);
    const now = readState(record.dir);
    if (now && (now.starts > state.starts || now.phase === 'failed')) return now;
  }
  throw new Error(`the keeper of ${record.service} did not start it again`);
}
