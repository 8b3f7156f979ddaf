import { argumentList } from '@argusai/core';
import type { ContainerPlace } from '@argusai/plugin-docker';
import type { Probe } from './probe.js';
import { type ReachRequest, reach } from './reach.js';

/** Room for a Node to start on a busy machine. */
const startMs = 15_000;

/**
 * Makes a probe that runs on this machine, in the network of a container. Nothing in the image is needed. It takes the
 * engine on this very machine and the rights of root; elsewhere it cannot look.
 */
export function probeBeside({ pid, id }: Pick<ContainerPlace, 'pid' | 'id'>, timeoutMs: number): Probe {
  return async (attempts, signal) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || pid <= 0) return undefined;
    const names = await namesOf(pid, id);
    if (names === undefined) return undefined;
    const request: ReachRequest = { attempts, timeoutMs, holdMs: 0, names };
    const program = `(${reach})(JSON.parse(process.argv[1])).then((seen) => console.log(JSON.stringify(seen)))`;
    const { execa } = await import('execa');
    signal.throwIfAborted();
    const words = [process.execPath, '-e', program, JSON.stringify(request)];
    const args = argumentList([], { target: pid, net: true }, words);
    const { exitCode, stdout } = await execa('nsenter', args, {
      env: { PATH: process.env.PATH },
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      cancelSignal: signal,
      forceKillAfterDelay: 500,
      timeout: startMs + 2 * timeoutMs,
    });
    signal.throwIfAborted();
    // There is no nsenter, or it may not: a container's own guards are not ours to go round.
    return exitCode === 0 ? JSON.parse(stdout) : undefined;
  };
}

/** How the container finds names, by its own files; nothing when the process is not the container's. */
async function namesOf(pid: number, id: string): Promise<ReachRequest['names']> {
  const { readFile } = await import('node:fs/promises');
  try {
    // An engine in a virtual machine or a container counts its processes differently, and this could be anyone's.
    const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8');
    if (!mounts.includes(id)) return undefined;
    const [hosts, resolver] = await Promise.all(
      ['hosts', 'resolv.conf'].map((name) => readFile(`/proc/${pid}/root/etc/${name}`, 'utf8')),
    );
    return { hosts: hostsIn(hosts ?? ''), servers: serversIn(resolver ?? '') };
  } catch {
    // The process has ended, or cannot be looked at: then there is no looking from its place.
    return undefined;
  }
}

/** The names of a hosts file, each with its address; an earlier line wins. */
export function hostsIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const pairs = lines.flatMap(([address = '', ...names]) => names.map((name) => [name, address] as const));
  return Object.fromEntries(pairs.toReversed());
}

/** The name servers of a resolver's file. */
export function serversIn(text: string): string[] {
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, server]) => (server ? [server] : []));
}
