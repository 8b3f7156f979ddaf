import { readdir, readFile } from 'node:fs/promises';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';

/** SIGTERM in the masks of `/proc/PID/status`. */
const sigterm = 1n << 14n;
/** How Docker is told to send it, which it also does when it is told nothing. */
const asksBySigterm = /^(|(SIG)?TERM|15)$/i;

/**
 * Those containers whose first process will never hear a SIGTERM: the kernel delivers to the first process of a namespace only what
 * it has a handler for, or awaits. Only the kernel of this machine can be asked; of an engine elsewhere nothing is known, and so nothing is
 * said. One that ignores the signal on purpose may have a reason, and has its time, and so has one that is asked by another signal.
 */
export async function deafContainers(
  client: Pick<DockerClient, 'inspect'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => deafContainer(pid, ids)));
  const deaf = [...new Set(found.filter((id) => id !== undefined))];
  if (deaf.length === 0) return new Set();
  const seen = await client.inspect<ContainerJson>('container', deaf, { signal });
  return new Set(seen.flatMap(({ Id, Config }) => (asksBySigterm.test(Config.StopSignal ?? '') ? [Id] : [])));
}

async function deafContainer(pid: string, ids: readonly string[]): Promise<string | undefined> {
  try {
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8');
    const id = ids.find((one) => groups.includes(one));
    if (id === undefined) return undefined;
    const [status, waitsIn] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/wchan`, 'utf8'),
    ]);
    return isDeaf(status, waitsIn) ? id : undefined;
  } catch {
    // It has ended, or is none of this user's.
    return undefined;
  }
}

/** Whether a process is the first of its namespace and neither handles, awaits nor ignores SIGTERM. */
export function isDeaf(status: string, waitsIn: string): boolean {
  // An init waits for signals, which are not shown as blocked meanwhile. Where it is not told what a process waits in, nothing is proved.
  if (!/^[a-z_]/.test(waitsIn) || waitsIn.includes('sigtimedwait')) return false;
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];
  const inner = field('NSpid')?.split(/\s+/);
  // One that blocks it may wait for it.
  const masks = [field('SigCgt'), field('SigIgn'), field('SigBlk')];
  if (inner?.at(-1) !== '1' || inner.length < 2) return false;
  return masks.every((mask) => mask !== undefined && (BigInt(`0x${mask}`) & sigterm) === 0n);
}
