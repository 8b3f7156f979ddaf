import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Protocol, portKey, readSocketTable } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp, holdUdp } from '../fixtures/hold-port.js';
import { holderProcess } from '../fixtures/holder-process.js';

const { signal } = new AbortController();
const both = new Set<Protocol>(['tcp', 'udp']);
const tcp = (port: number) => portKey({ protocol: 'tcp', port });
const udp = (port: number) => portKey({ protocol: 'udp', port });

describe('the sockets of this machine', () => {
  it.runIf(process.platform === 'linux')('are listed with their addresses', async () => {
    const one = await holdTcp('127.0.0.1', await freePorts(1));
    const all = await holdUdp('0.0.0.0', await freePorts(1));
    const { sockets } = await readSocketTable(both);
    expect(sockets).toContainEqual(
      expect.objectContaining({ protocol: 'tcp', address: '127.0.0.1', port: one.port }),
    );
    expect(sockets).toContainEqual(
      expect.objectContaining({ protocol: 'udp', address: '*', port: all.port }),
    );
  });

  it.runIf(process.platform === 'linux')('are only those of the protocols that matter', async () => {
    const { port } = await holdUdp('127.0.0.1', await freePorts(1));
    const { sockets } = await readSocketTable(new Set(['tcp']));
    expect(sockets.filter((socket) => socket.protocol === 'udp' || socket.port === port)).toEqual([]);
  });

  it('say which process holds a port and what it was started with', async () => {
    const { pid, port } = await holderProcess('a-mark-of-its-own');
    const table = await readSocketTable(both);
    expect(await table.holders(new Set([tcp(port)]), signal)).toEqual([
      {
        protocol: 'tcp',
        address: '127.0.0.1',
        port,
        pid,
        command: expect.stringMatching(process.platform === 'linux' ? /a-mark-of-its-own$/ : /node/),
      },
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'name the process that passed its socket on to another',
    async () => {
      const program = `
      const { spawn } = require('node:child_process');
      const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
        const worker = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'],
          { stdio: ['ignore', 'pipe', 'inherit', server._handle] });
        worker.stdout.once('data', () => console.log(server.address().port));
        process.stdin.once('end', () => { worker.kill('SIGKILL'); process.exit(); }).resume();
      });`;
      const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(async () => {
        child.stdin.end();
        await once(child, 'exit');
      });
      const [said] = await once(child.stdout, 'data');
      const table = await readSocketTable(both);
      expect(await table.holders(new Set([tcp(Number(said))]), signal)).toMatchObject([{ pid: child.pid }]);
    },
  );

  it('say it for many ports at once, of both protocols', async () => {
    const process1 = await holderProcess('one');
    const mine = await holdUdp('127.0.0.1', await freePorts(1));
    const table = await readSocketTable(both);
    const holders = await table.holders(new Set([tcp(process1.port), udp(mine.port)]), signal);
    expect(holders).toHaveLength(2);
    expect(holders).toContainEqual(expect.objectContaining({ port: process1.port, pid: process1.pid }));
    expect(holders).toContainEqual(expect.objectContaining({ port: mine.port, pid: process.pid }));
  });

  it('say nothing of a port that nobody holds', async () => {
    const table = await readSocketTable(both);
    expect(await table.holders(new Set([tcp(await freePorts(1))]), signal)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('say nothing of a process that ended since', async () => {
    const held = await holderProcess('gone soon');
    const table = await readSocketTable(both);
    await held.end();
    const [holder] = await table.holders(new Set([tcp(held.port)]), signal);
    expect(holder).toMatchObject({ port: held.port });
    expect(holder).not.toHaveProperty('pid');
  });

  it('are not known on a system that does not tell', async () => {
    const table = await readSocketTable(both, 'win32');
    expect(table.sockets).toEqual([]);
    expect(await table.holders(new Set([tcp(3_000)]), signal)).toEqual([]);
  });
});
