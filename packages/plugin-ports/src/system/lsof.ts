import { argumentList } from '@argusai/core';
import { plainAddress } from '../address.js';
import { type PortKey, type Protocol, portKey } from '../port-key.js';
import type { Holder } from './socket-table.js';

const timeoutMs = 5_000;

/** Asks `lsof`, which macOS brings along, who holds these ports. Where it is missing nobody can be named. */
export async function listHolders(ports: ReadonlySet<PortKey>, signal: AbortSignal): Promise<Holder[]> {
  const numbers = (protocol: Protocol) =>
    [...ports]
      .filter((key) => key.startsWith(`${protocol}/`))
      .map((key) => Number(key.slice(protocol.length + 1)));
  const [tcp, udp] = [numbers('tcp'), numbers('udp')];
  // Two calls, because asking for TCP sockets that listen leaves out all UDP sockets.
  const listed = await Promise.all([
    tcp.length === 0 ? '' : lsof([...tcp.map((port) => `-iTCP:${port}` as const), '-sTCP:LISTEN'], signal),
    udp.length === 0
      ? ''
      : lsof(
          udp.map((port) => `-iUDP:${port}` as const),
          signal,
        ),
  ]);
  return listed.flatMap(parseLsof).filter((holder) => ports.has(portKey(holder)));
}

async function lsof(
  which: readonly (`-i${'TCP' | 'UDP'}:${number}` | '-sTCP:LISTEN')[],
  signal: AbortSignal,
): Promise<string> {
  const { execa } = await import('execa');
  const options = { reject: false, timeout: timeoutMs, cancelSignal: signal, stdin: 'ignore' } as const;
  const { stdout } = await execa('lsof', argumentList(['-nP', '+c', '0', ...which, '-F', 'pcPn']), options);
  signal.throwIfAborted();
  // It ends with 1 when there is nothing to list, and also when it could list only a part; so that says nothing.
  return stdout ?? '';
}

/** Reads what `lsof -F pcPn` prints: a line for each field, those of a process before those of its sockets. */
export function parseLsof(text: string): Holder[] {
  const holders: Holder[] = [];
  let [pid, command, protocol] = [0, '', ''];
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = Number(value);
    else if (line.startsWith('c')) command = value;
    else if (line.startsWith('P')) protocol = value.toLowerCase();
    else if (line.startsWith('n') && (protocol === 'tcp' || protocol === 'udp')) {
      const [, address, port] = /^(.*?):(\d+)(?:->.*)?$/.exec(value) ?? [];
      if (address === undefined || port === undefined) continue;
      holders.push({ protocol, address: plainAddress(address), port: Number(port), pid, command });
    }
  }
  return holders;
}
