import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdUdp } from '../fixtures/hold-port.js';
import { holderProcess } from '../fixtures/holder-process.js';
import { portKey } from '../port-key.js';
import { listHolders, parseLsof } from './lsof.js';
import { readSocketTable } from './socket-table.js';

const isMissing = spawnSync('lsof', ['-v']).error !== undefined;
const { signal } = new AbortController();

describe('what lsof prints', () => {
  it('is read process by process and socket by socket', () => {
    const text = `p17\ncnode\nf21\nPTCP\nn*:3000\nf22\nPTCP\nn[::1]:3001\np18\ncdns server\nf3\nPUDP\nn127.0.0.1:53\n`;
    expect(parseLsof(text)).toEqual([
      { protocol: 'tcp', address: '*', port: 3_000, pid: 17, command: 'node' },
      { protocol: 'tcp', address: '::1', port: 3_001, pid: 17, command: 'node' },
      { protocol: 'udp', address: '127.0.0.1', port: 53, pid: 18, command: 'dns server' },
    ]);
  });

  it('may hold what is no port', () => {
    expect(parseLsof('p17\ncnode\nf1\nPTCP\nn*:*\nf2\nPICMP\nn*:7\n')).toEqual([]);
    expect(parseLsof('')).toEqual([]);
  });

  it('names the near end of a connection', () => {
    expect(parseLsof('p17\ncdig\nf1\nPUDP\nn127.0.0.1:5000->127.0.0.1:53\n')).toMatchObject([
      { address: '127.0.0.1', port: 5_000 },
    ]);
  });
});

describe.skipIf(isMissing)(`lsof${isMissing ? ' (it is not on this machine)' : ''}`, () => {
  it('tells who holds ports of both protocols', async () => {
    const [held, mine] = [await holderProcess('lsof'), await holdUdp('127.0.0.1', await freePorts(1))];
    const { holders } = await readSocketTable(new Set(['tcp', 'udp']), 'darwin');
    const ports = new Set([
      portKey({ protocol: 'tcp', port: held.port }),
      portKey({ protocol: 'udp', port: mine.port }),
    ]);
    expect(await holders(ports, signal)).toEqual([
      expect.objectContaining({ protocol: 'tcp', address: '127.0.0.1', port: held.port, pid: held.pid }),
      expect.objectContaining({ protocol: 'udp', port: mine.port, pid: process.pid }),
    ]);
  });

  it('tells of nobody where there is nobody, and is not asked for nothing', async () => {
    const free = portKey({ protocol: 'tcp', port: await freePorts(1) });
    expect(await listHolders(new Set([free]), signal)).toEqual([]);
    expect(await listHolders(new Set(), signal)).toEqual([]);
  });

  it('is stopped when the work is cancelled', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'));
    await expect(listHolders(new Set(['tcp/3000']), cancelled)).rejects.toThrow();
  });
});
