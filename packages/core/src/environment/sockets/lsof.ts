import { execFile } from 'node:child_process';
import { argumentList } from '../../model/argument-list.js';
import { everywhere, plainAddress } from './plain-address.js';
import { type PortKey, type Protocol, portKey } from './port-key.js';
import type { Holder } from './socket-table.js';

const timeoutMs = 5_000;

/** Asks `lsof`, which macOS brings along, who holds these ports. Rejects where it is missing or does not answer: then nothing is known. */
export async function listHolders(
  ports: ReadonlySet<PortKey>,
  signal: AbortSignal,
  program = 'lsof',
): Promise<Holder[]> {
  const numbers = (protocol: Protocol) =>
    [...ports]
      .filter((key) => key.startsWith(`${protocol}/`))
      .map((key) => Number(key.slice(protocol.length + 1)));
  const [tcp, udp] = [numbers('tcp'), numbers('udp')];
  // Two calls, because asking for TCP sockets that listen leaves out all UDP sockets.
  const listed = await Promise.all([
    tcp.length === 0
      ? ''
      : lsof(program, [...tcp.map((port) => `-iTCP:${port}` as const), '-sTCP:LISTEN'], signal),
    udp.length === 0
      ? ''
      : lsof(
          program,
          udp.map((port) => `-iUDP:${port}` as const),
          signal,
        ),
  ]);
  return listed.flatMap(parseLsof).filter((holder) => ports.has(portKey(holder)));
}

function lsof(
  program: string,
  which: readonly (`-i${'TCP' | 'UDP'}:${number}` | '-sTCP:LISTEN')[],
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = argumentList(['-nP', '+c', '0', ...which, '-F', 'pcPtn']);
    execFile(program, args, { timeout: timeoutMs, signal }, (error, stdout) => {
      if (signal.aborted) return reject(signal.reason);
      if (error?.killed) return reject(new Error(`lsof did not answer within ${timeoutMs} ms`));
      if (typeof error?.code === 'string') return reject(new Error(`lsof could not be run: ${error.code}`));
      // It ends with 1 when there is nothing to list, and also when it could list only a part; so that says nothing.
      resolve(stdout);
    });
  });
}

/** Reads what `lsof -F pcPtn` prints: a line for each field, those of a process before those of its sockets. */
export function parseLsof(text: string): Holder[] {
  const holders: Holder[] = [];
  let [pid, command, protocol, type] = [0, '', '', ''];
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = Number(value);
    else if (line.startsWith('c')) command = value;
    else if (line.startsWith('t')) type = value;
    else if (line.startsWith('P')) protocol = value.toLowerCase();
    else if (line.startsWith('n') && (protocol === 'tcp' || protocol === 'udp')) {
      const [, address, port] = /^(.*?):(\d+)(?:->.*)?$/.exec(value) ?? [];
      if (address === undefined || port === undefined) continue;
      const plain = plainAddress(address);
      const family = plain !== everywhere ? {} : { family: type === 'IPv6' ? (6 as const) : (4 as const) };
      holders.push({ protocol, address: plain, port: Number(port), ...family, pid, command });
    }
  }
  return holders;
}
