import { addressesMeet, type PortKey, portKey } from '@argusai/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Wish } from '../wish.js';
import { type Assignments, assignPorts, type Ground } from './assign-ports.js';

const wide = { first: 1_024, last: 65_535 };

function wish(port: number, change: Partial<Wish> = {}): Wish {
  return { service: 'api', protocol: 'tcp', address: '*', port, container: port, any: false, ...change };
}

function assign(wishes: readonly Wish[], ground: Partial<Ground> = {}): Assignments {
  return assignPorts(wishes, { claimed: [], denied: new Set(), taken: new Set(), range: wide, ...ground });
}

const portsOf = (wishes: readonly Wish[], { given }: Assignments) => wishes.map((one) => given.get(one));

describe('giving out ports', () => {
  it('gives every wish its own port when nothing is in the way', () => {
    const wishes = [wish(3_000), wish(80), wish(3_000, { protocol: 'udp' })];
    expect(portsOf(wishes, assign(wishes))).toEqual([3_000, 80, 3_000]);
  });

  it('gives the port to the first who asks and the next ones to the others', () => {
    const wishes = [wish(3_000), wish(3_000), wish(3_000)];
    expect(portsOf(wishes, assign(wishes))).toEqual([3_000, 3_001, 3_002]);
  });

  it('gives nobody a port that another asks for and can have', () => {
    const wishes = [wish(3_000), wish(3_000), wish(3_001)];
    expect(portsOf(wishes, assign(wishes))).toEqual([3_000, 3_002, 3_001]);
  });

  it('gives nobody a port that another asks for and cannot have', () => {
    const wishes = [wish(3_000), wish(3_001)];
    const denied = new Set(wishes);
    expect(portsOf(wishes, assign(wishes, { denied }))).toEqual([3_002, 3_003]);
  });

  it('gives nobody what another of the environment has already', () => {
    const wishes = [wish(3_000), wish(3_000, { address: '127.0.0.1' })];
    const claimed = [wish(3_000, { address: '127.0.0.2' })];
    expect(portsOf(wishes, assign(wishes, { claimed }))).toEqual([3_001, 3_000]);
  });

  it('lets two have one port on addresses that do not meet', () => {
    const wishes = [wish(3_000, { address: '127.0.0.1' }), wish(3_000, { address: '127.0.0.2' })];
    expect(portsOf(wishes, assign(wishes))).toEqual([3_000, 3_000]);
  });

  it('serves those who ask for a port before those for whom any will do', () => {
    const wishes = [wish(3_000, { any: true }), wish(3_000)];
    expect(portsOf(wishes, assign(wishes))).toEqual([3_001, 3_000]);
  });

  it('chooses no port below 1024 by itself', () => {
    const wishes = [wish(80, { any: true }), wish(443)];
    expect(portsOf(wishes, assign(wishes, { denied: new Set(wishes.slice(1)) }))).toEqual([8_080, 8_443]);
  });

  it('says for whom there is none', () => {
    const wishes = [wish(3_000), wish(3_000), wish(3_000)];
    const { given, left } = assign(wishes, { range: { first: 4_000, last: 4_000 } });
    expect(given.size).toBe(2);
    expect(left).toEqual([wishes[2]]);
  });
});

describe('ports that were given out', () => {
  const addresses = fc.constantFrom('*', '127.0.0.1', '127.0.0.2', '::1');
  const protocols = fc.constantFrom('tcp' as const, 'udp' as const);
  const places = fc.record({
    protocol: protocols,
    address: addresses,
    port: fc.integer({ min: 1, max: 1_060 }),
  });
  const situations = fc
    .record({
      wishes: fc.array(
        places.chain((place) =>
          fc.record({
            service: fc.constantFrom('a', 'b', 'c'),
            container: fc.integer({ min: 1, max: 99 }),
            any: fc.boolean(),
            denied: fc.boolean(),
            place: fc.constant(place),
          }),
        ),
        { maxLength: 20 },
      ),
      claimed: fc.array(places, { maxLength: 5 }),
      held: fc.array(fc.tuple(protocols, fc.integer({ min: 1, max: 1_060 })), { maxLength: 60 }),
      range: fc.integer({ min: 0, max: 40 }).map((size) => ({ first: 1_024, last: 1_024 + size })),
    })
    .map(({ wishes, claimed, held, range }) => {
      const all = wishes.map(({ place, denied: _, ...rest }): Wish => ({ ...place, ...rest }));
      const denied = new Set(all.filter((_, index) => wishes[index]?.denied));
      const taken = new Set(held.map(([protocol, port]): PortKey => `${protocol}/${port}`));
      return { wishes: all, ground: { claimed, denied, taken, range } };
    });

  it('are distinct, free, allowed, and the wished ones wherever those can be had', () => {
    fc.assert(
      fc.property(situations, ({ wishes, ground }) => {
        const { given, left } = assignPorts(wishes, ground);
        expect(given.size + left.length).toBe(wishes.length);

        const places = [...given].map(([one, port]) => ({ ...one, port }));
        const all = [...places, ...ground.claimed];
        for (const [index, place] of places.entries()) {
          const rivals = all.filter((other, at) => at !== index && portKey(other) === portKey(place));
          expect(rivals.some(({ address }) => addressesMeet(address, place.address))).toBe(false);
        }

        for (const [one, port] of given) {
          const isChosen = port !== one.port;
          if (!isChosen) expect(ground.denied.has(one)).toBe(false);
          if (!isChosen && !one.any) continue;
          expect(port).toBeGreaterThanOrEqual(1_024);
          expect(ground.taken.has(portKey({ ...one, port }))).toBe(false);
          if (isChosen) expect(port).toBeLessThanOrEqual(ground.range.last);
          // Nobody loses to a choice what they asked for.
          const askers = isChosen
            ? wishes.filter((other) => !other.any && portKey(other) === portKey({ ...one, port }))
            : [];
          expect(askers).toEqual([]);
        }

        for (const one of wishes) {
          if (one.any || ground.denied.has(one) || given.get(one) === one.port) continue;
          const winners = all.filter((other) => portKey(other) === portKey(one));
          expect(winners.some(({ address }) => addressesMeet(address, one.address))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are missing only when the range has no port left', () => {
    fc.assert(
      fc.property(situations, ({ wishes, ground }) => {
        const { given, left } = assignPorts(wishes, ground);
        for (const one of left) {
          for (let port = ground.range.first; port <= ground.range.last; port += 1) {
            const key = portKey({ ...one, port });
            const isUsed = [...given].some(([other, actual]) => portKey({ ...other, port: actual }) === key);
            const isDenied = [...ground.denied].some((other) => portKey(other) === key);
            const isClaimed = ground.claimed.some((other) => portKey(other) === key);
            expect(isUsed || isDenied || isClaimed || ground.taken.has(key)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
