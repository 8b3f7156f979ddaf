import type { UnreachableReason } from '../error-codes.js';
import type { PortSeen, Seen } from '../probes/probe.js';
import type { Path } from './path.js';

/** What is to be thought of a path. */
export type Verdict =
  | { readonly status: 'reachable'; readonly port: PortSeen }
  | { readonly status: 'unknown'; readonly reason: UnknownReason; readonly port?: PortSeen }
  | { readonly status: 'unreachable'; readonly problem: 'dns'; readonly reason: 'not-found' | 'no-answer' }
  | {
      readonly status: 'unreachable';
      readonly problem: 'tcp';
      readonly reason: UnreachableReason;
      readonly port: PortSeen;
    };

/** Why it could not be told. */
export type UnknownReason = 'no-tool' | 'no-port' | 'no-answer' | 'nobody-listens' | 'older' | 'elsewhere';

/** Whether the one should know the other by its name, from what the engine says. */
export type Acquaintance = 'known' | 'not-known' | 'older';

/**
 * Judges what was seen of a path. Only what was seen clearly is held against it: a port of which nobody said that something
 * listens there may be for later, and a name server that is silent may be busy.
 */
export function judge(path: Path, seen: Seen | undefined, acquaintance: Acquaintance): Verdict {
  if (seen === undefined) return { status: 'unknown', reason: 'no-tool' };
  const isOpen = seen.ports.find(({ status }) => status === 'open');
  if (isOpen === undefined && seen.name.status !== 'resolved') {
    if (acquaintance === 'older') return { status: 'unknown', reason: 'older' };
    if (seen.name.status === 'not-found')
      return { status: 'unreachable', problem: 'dns', reason: 'not-found' };
    if (acquaintance === 'not-known') return { status: 'unreachable', problem: 'dns', reason: 'no-answer' };
    return { status: 'unknown', reason: 'no-answer' };
  }
  const isPromised = ({ port }: PortSeen) => path.ports.some((one) => one.port === port && one.promised);
  for (const port of seen.ports) {
    const { status } = port;
    if (status === 'open' || status === 'unclear') continue;
    // A port that drops what comes proves nothing about the way there when another one answers.
    const isClear = isPromised(port) || (status !== 'refused' && isOpen === undefined);
    if (isClear) return { status: 'unreachable', problem: 'tcp', reason: status, port };
  }
  const unclear = seen.ports.find((port) => port.status === 'unclear' && isPromised(port));
  if (unclear) return { status: 'unknown', reason: 'no-tool', port: unclear };
  if (isOpen) return { status: 'reachable', port: isOpen };
  const refused = seen.ports.find(({ status }) => status === 'refused');
  if (refused) return { status: 'unknown', reason: 'nobody-listens', port: refused };
  return { status: 'unknown', reason: path.ports.length === 0 ? 'no-port' : 'no-tool' };
}

/** How long it is worth while to look again, in milliseconds: somebody may still be starting, or busy. */
export function patienceFor(verdict: Verdict, promisedMs: number): number {
  if (verdict.status === 'reachable') return 0;
  if (verdict.status === 'unreachable') {
    return verdict.problem === 'tcp' && verdict.reason === 'refused' ? promisedMs : 1_500;
  }
  return { 'nobody-listens': 500, 'no-answer': 1_500 }[verdict.reason as string] ?? 0;
}
