import { type Clock, pause } from '@argusai/core';
import type { Daemon } from './daemon.js';

/** How soon it is first asked whether the command has ended, and how long at most between two questions, in milliseconds. */
const polls = { first: 5, longest: 200 };

/** What the engine says of a command inside a container. */
interface Execution {
  readonly Id?: string;
  readonly Running?: boolean;
  readonly ExitCode?: number | null;
}

/** Runs a command inside a container over the line that is open for looks. True only when it was seen to end well. */
export async function endsWell(
  daemon: Pick<Daemon, 'look'>,
  clock: Clock,
  { container, words }: { readonly container: string; readonly words: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  const ask = async (asked: Parameters<Daemon['look']>[0][number]) =>
    (await daemon.look<Execution>([asked], signal))?.[0];
  const path = `/containers/${encodeURIComponent(container)}/exec`;
  const id = (await ask({ path, body: { Cmd: words } }))?.Id;
  if (id === undefined || !(await ask({ path: `/exec/${id}/start`, body: { Detach: true } }))) return false;
  for (let waitMs = polls.first; ; waitMs = Math.min(waitMs * 2, polls.longest)) {
    await pause(clock, waitMs, signal);
    const seen = await ask(`/exec/${id}/json`);
    if (!seen) return false;
    if (seen.Running === false && typeof seen.ExitCode === 'number') return seen.ExitCode === 0;
  }
}
