import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const longestCommand = 200;

/**
 * The processes that have these sockets open: of several that share one, the one that started the others. Processes of
 * other users show their open files only to root, so theirs are missing. Others get their turn every few milliseconds.
 */
export async function ownersOf(
  inodes: ReadonlySet<string>,
  signal: AbortSignal,
  atOnceMs = 5,
): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>();
  // A process that holds several has the same parents for each of them.
  const seen = new Map<number, ReadonlySet<string>>();
  const socketsOf = (pid: number) => {
    const sockets = seen.get(pid) ?? openSockets(pid);
    seen.set(pid, sockets);
    return sockets;
  };
  let turn = performance.now();
  // The youngest first: what is in the way has seldom been there since the start of the machine.
  const pids = listed('/proc').map(Number).filter(Number.isInteger);
  for (const pid of pids.toSorted((one, other) => other - one)) {
    for (const inode of socketsOf(pid)) {
      if (inodes.has(inode) && !owners.has(inode)) owners.set(inode, eldestWith(inode, pid, socketsOf));
    }
    if (owners.size === inodes.size) break;
    // Thousands of tiny reads from memory: waiting for each would cost ten times what reading it does.
    if (performance.now() - turn < atOnceMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    turn = performance.now();
  }
  return owners;
}

/** What a process was started with, or its name; nothing when it is gone. */
export function commandOf(pid: number): string | undefined {
  const [program = '', ...words] = content(`/proc/${pid}/cmdline`).split('\0');
  // One that names itself writes over its words, with spaces to their end.
  const name = program.trimEnd() || content(`/proc/${pid}/comm`).trim();
  return name === '' ? undefined : shortened(name, words).trimEnd();
}

/** Whole words only: half of one might be half a secret. */
function shortened(program: string, words: readonly string[]): string {
  let command = program;
  for (const word of words) {
    if (command.length + word.length + 2 > longestCommand) return `${command} …`;
    command += ` ${word}`;
  }
  return command;
}

/** A server passes its socket on to its workers; who wants the port back must turn to the server. */
function eldestWith(inode: string, pid: number, socketsOf: (pid: number) => ReadonlySet<string>): number {
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(content(`/proc/${pid}/status`))?.[1]);
  return parent > 0 && socketsOf(parent).has(inode) ? eldestWith(inode, parent, socketsOf) : pid;
}

function openSockets(pid: number): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const fd of listed(`/proc/${pid}/fd`)) {
    try {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // It was closed meanwhile, so it holds nothing.
    }
  }
  return inodes;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process is gone or belongs to someone else: there is nothing to be seen.
    return [];
  }
}

function content(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process is gone, and with it its name.
    return '';
  }
}
