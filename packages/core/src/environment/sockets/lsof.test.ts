import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listHolders, parseLsof } from './lsof.js';
import { portKey } from './port-key.js';
import { readSocketTable } from './socket-table.js';

const isMissing = spawnSync('lsof', ['-v']).error !== undefined;
const { signal } = new AbortController();

describe('what lsof prints', () => {
  it('is read process by process and socket by socket', () => {
    const text = `p17\ncnode\nf21\ntIPv6\nPTCP\nn*:3000\nf22\ntIPv6\nPTCP\nn[::1]:3001\np18\ncdns server\nf3\nPUDP\nn127.0.0.1:53\n`;
    expect(parseLsof(text)).toEqual([
      { protocol: 'tcp', address: '*', port: 3_000, family: 6, pid: 17, command: 'node' },
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

it('says so when lsof cannot be asked', async () => {
  await expect(listHolders(new Set(['tcp/3000']), signal, '/nowhere/lsof')).rejects.toThrow('ENOENT');
});

describe.skipIf(isMissing)(`lsof${isMissing ? ' (it is not on this machine)' : ''}`, () => {
  it('tells who holds ports of both protocols', async () => {
    const [tcp, udp] = [await tcpPort(), await udpPort()];
    const { holders } = await readSocketTable(new Set(['tcp', 'udp']), 'darwin');
    const ports = new Set([
      portKey({ protocol: 'tcp', port: tcp.port }),
      portKey({ protocol: 'udp', port: udp.port }),
    ]);
    expect(await holders(ports, signal)).toEqual([
      expect.objectContaining({ protocol: 'tcp', address: '127.0.0.1', port: tcp.port, pid: process.pid }),
      expect.objectContaining({ protocol: 'udp', port: udp.port, pid: process.pid }),
    ]);
  });

  it('tells of nobody where there is nobody, and is not asked for nothing', async () => {
    const { port, letGo } = await tcpPort();
    await letGo();
    expect(await listHolders(new Set([portKey({ protocol: 'tcp', port })]), signal)).toEqual([]);
    expect(await listHolders(new Set(), signal)).toEqual([]);
  });

  it('is stopped when the work is cancelled', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'));
    await expect(listHolders(new Set(['tcp/3000']), cancelled)).rejects.toThrow();
  });
});

async function tcpPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const letGo = async () => void (server.listening && (await once(server.close(), 'close')));
  onTestFinished(letGo);
  return { port: (server.address() as AddressInfo).port, letGo };
}

async function udpPort() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { port: socket.address().port };
}
