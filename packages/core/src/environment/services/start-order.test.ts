import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from './service-spec.js';
import { allDependenciesOf, inStartOrder, stopOrder } from './start-order.js';

const service = (name: string, dependsOn: string[] = []) => ({ name, dependsOn }) as unknown as ServiceSpec;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Services of which each may only depend on earlier ones. */
const acyclic = fc
  .array(fc.array(fc.nat(12), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .map((needs) =>
    needs.map((own, index) =>
      service(
        `s${index}`,
        own.filter((need) => need < index).map((need) => `s${need}`),
      ),
    ),
  );

describe('starting in order', () => {
  it('begins each service only when all it depends on are done, and does every one once', async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, async (services) => {
        const done: string[] = [];
        await inStartOrder(services, async ({ name, dependsOn }) => {
          expect(dependsOn.filter((other) => !done.includes(other))).toEqual([]);
          await turn();
          done.push(name);
        });
        expect(done.toSorted()).toEqual(services.map(({ name }) => name).toSorted());
      }),
      { numRuns: 50 },
    );
  });

  it('does at the same time what allows it', async () => {
    let most = 0;
    let now = 0;
    await inStartOrder([service('a'), service('b'), service('c')], async () => {
      most = Math.max(most, ++now);
      await turn();
      now--;
    });
    expect(most).toBe(3);
  });

  it('begins nothing after a failure, and throws it when all that had begun is over', async () => {
    const events: string[] = [];
    const services = [service('bad'), service('slow'), service('later', ['slow']), service('after', ['bad'])];
    const starting = inStartOrder(services, async ({ name }) => {
      if (name === 'bad') throw new Error('bad broke');
      await turn();
      await turn();
      events.push(name);
    });
    await expect(starting).rejects.toThrow('bad broke');
    expect(events).toEqual(['slow']);
  });

  it('passes over dependencies that are not part of the set', async () => {
    const done: string[] = [];
    await inStartOrder([service('web', ['elsewhere'])], async ({ name }) => void done.push(name));
    expect(done).toEqual(['web']);
  });
});

it('throws the failure that came first, not the one of the first service', async () => {
  const starting = inStartOrder([service('slow'), service('quick')], async ({ name }) => {
    if (name === 'slow') await turn();
    throw new Error(`${name} broke`);
  });
  await expect(starting).rejects.toThrow('quick broke');
});

it('finds what a service depends on, also through others, and does not hang on a circle', () => {
  const services = [service('a', ['b']), service('b', ['c', 'gone']), service('c', ['b']), service('d')];
  expect([...allDependenciesOf('a', services)].toSorted()).toEqual(['b', 'c']);
  expect([...allDependenciesOf('d', services)]).toEqual([]);
});

describe('stopping in order', () => {
  it('stops dependents before what they depend on', () => {
    fc.assert(
      fc.property(acyclic, (services) => {
        const levels = stopOrder(services);
        const levelOf = (name: string) => levels.findIndex((level) => level.includes(name));
        for (const { name, dependsOn } of services) {
          for (const other of dependsOn) expect(levelOf(name)).toBeLessThan(levelOf(other));
        }
        expect(levels.flat().length).toBe(services.length);
      }),
    );
  });

  it('does not hang on a circle', () => {
    expect(stopOrder([service('a', ['b']), service('b', ['a'])])).toEqual([['a', 'b']]);
  });
});
