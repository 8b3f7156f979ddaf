import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp } from '../fixtures/hold-port.js';
import { isFree, pauses } from './is-free.js';
import { Sockets } from './sockets.js';

const { signal } = new AbortController();

describe('whether a port is free', () => {
  it('is not decided by a look that someone else takes at the same moment', async () => {
    const held = await holdTcp('127.0.0.1', await freePorts(1));
    const place = { protocol: 'tcp', address: '*', port: held.port } as const;
    const asking = isFree(place, new Sockets(['tcp']), signal, pauses.patient);
    await wait(1);
    await held.letGo();
    expect(await asking).toBe(true);
  });

  it('is no when someone holds it, however often it is tried', async () => {
    const place = { protocol: 'tcp', address: '*', port: (await holdTcp()).port } as const;
    for (const pausesMs of Object.values(pauses)) {
      expect(await isFree(place, new Sockets(['tcp']), signal, pausesMs)).toBe(false);
    }
  });

  it.runIf(process.platform === 'linux')('is told by the list where it cannot be tried', async () => {
    const { port } = await holdTcp('0.0.0.0');
    // An address for documentation, which no machine has.
    const nowhere = { protocol: 'tcp', address: '192.0.2.1' } as const;
    expect(await isFree({ ...nowhere, port }, new Sockets(['tcp']), signal)).toBe(false);
    expect(await isFree({ ...nowhere, port: await freePorts(1) }, new Sockets(['tcp']), signal)).toBe(true);
  });

  it('is told without a look at all sockets when it can be tried', async () => {
    const { port } = await holdTcp();
    const sockets = new Sockets(['tcp']);
    expect(await isFree({ protocol: 'tcp', address: '*', port }, sockets, signal)).toBe(false);
    expect(await isFree({ protocol: 'tcp', address: '*', port: await freePorts(1) }, sockets, signal)).toBe(
      true,
    );
    expect(sockets.known).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'has all sockets looked at meanwhile when somebody holds it and it will be asked who',
    async () => {
      const { port } = await holdTcp();
      const sockets = new Sockets(['tcp'], { asksWho: true });
      await isFree({ protocol: 'tcp', address: '*', port: await freePorts(1) }, sockets, signal);
      expect(sockets.known).toEqual([]);
      expect(await isFree({ protocol: 'tcp', address: '*', port }, sockets, signal)).toBe(false);
      await expect.poll(() => sockets.known.map((socket) => socket.port)).toContain(port);
    },
  );

  it('is not waited for when it is cancelled', async () => {
    const { port } = await holdTcp();
    const place = { protocol: 'tcp', address: '*', port } as const;
    await expect(isFree(place, new Sockets(['tcp']), AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
