import { readdir, readFile } from 'node:fs/promises';

/** SIGTERM in the masks of `/proc/PID/status`. */
const sigterm = 1n << 14n;

/**
 * Those containers whose first process will never hear a SIGTERM: the kernel delivers to the first process of a namespace only what
 * it has a handler for, or awaits. Only the kernel of this machine can be asked; of an engine elsewhere nothing is known, and so nothing is
 * said. One that ignores the signal on purpose may have a reason, and has its time.
 */
export async function deafContainers(ids: readonly string[]): Promise<Set<string>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => deafContainer(pid, ids)));
  return new Set(found.filter((id) => id !== undefined));
}

async function deafContainer(pid: string, ids: readonly string[]): Promise<string | undefined> {
  try {
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8');
    const id = ids.find((one) => groups.includes(one));
    return id !== undefined && isDeaf(await readFile(`/proc/${pid}/status`, 'utf8')) ? id : undefined;
  } catch {
    // It has ended, or is none of this user's.
    return undefined;
  }
}

/** Whether a process is the first of its namespace and neither handles, awaits nor ignores SIGTERM. */
export function isDeaf(status: string): boolean {
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];
  const inner = field('NSpid')?.split(/\s+/);
  // One that blocks it waits for it, as an init does.
  const masks = [field('SigCgt'), field('SigIgn'), field('SigBlk')];
  if (inner?.at(-1) !== '1' || inner.length < 2) return false;
  return masks.every((mask) => mask !== undefined && (BigInt(`0x${mask}`) & sigterm) === 0n);
}
