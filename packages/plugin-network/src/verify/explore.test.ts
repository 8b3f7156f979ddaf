import { ArgusError, internalError } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { serviceOf } from '../../../plugin-docker/src/runtime/fixtures/trial-run.js';
import type { Attempt, Probe, Seen } from '../probes/probe.js';
import { explore } from './explore.js';
import type { Path } from './path.js';

type Status = Seen['ports'][number]['status'];

const pathTo = (name: string, promised = true): Path => ({
  from: serviceOf('api', {}),
  to: serviceOf(name, {}),
  host: name,
  ports: [{ port: 80, promised }],
});
const saw = (status: Status, name: Seen['name']['status'] = 'resolved'): Seen => ({
  name: { status: name, latencyMs: 1, addresses: [] },
  ports: [{ port: 80, status, latencyMs: 1 }],
});

/** Explores in simulated time, with probes that see what they are told. Gives what was asked of them too. */
async function exploring(
  paths: Path[],
  probes: Record<string, (attempt: Attempt, look: number, elapsed: number) => Seen | Error | undefined>,
) {
  const clock = createSimulatedClock();
  const begun = clock.monotonic();
  const asked: string[] = [];
  const probe =
    (name: string, look = 0): Probe =>
    async (attempts) => {
      look += 1;
      asked.push(`${name} ${attempts.map(({ host }) => host).join(' ')}`);
      const found = attempts.map((one) => probes[name]?.(one, look, clock.monotonic() - begun));
      const broken = found.find((one) => one instanceof Error);
      if (broken) throw broken;
      return found.includes(undefined) ? undefined : (found as Seen[]);
    };
  const lookout = { probes: Object.keys(probes).map((name) => ({ name, probe: probe(name) })) };
  const { signal } = new AbortController();
  let isDone = false;
  const work = explore(paths, lookout, {
    clock,
    signal,
    patienceMs: 30_000,
    acquaintance: () => 'known',
  }).finally(() => {
    isDone = true;
  });
  work.catch(() => undefined);
  for (let turn = 0; !isDone && turn < 1_000; turn++) await clock.advance(150);
  return { results: await work, asked, elapsed: clock.monotonic() - begun };
}

describe('exploring', () => {
  it('looks once when all is well', async () => {
    const { results, asked } = await exploring([pathTo('db'), pathTo('pay')], {
      inside: () => saw('open'),
      beside: () => saw('open'),
    });
    expect(results.map(({ verdict, via }) => `${verdict.status} ${via}`)).toEqual([
      'reachable inside',
      'reachable inside',
    ]);
    expect(asked).toEqual(['inside db pay']);
  });

  it('looks in another way at what it could not see, or does not like', async () => {
    const { results, asked } = await exploring([pathTo('db'), pathTo('pay'), pathTo('bus')], {
      inside: ({ host }) => (host === 'db' ? saw('open') : saw(host === 'pay' ? 'unclear' : 'refused')),
      beside: () => undefined,
      companion: () => saw('open'),
    });
    expect(results.map(({ verdict, via }) => `${verdict.status} ${via}`)).toEqual([
      'reachable inside',
      'reachable companion',
      'reachable companion',
    ]);
    expect(asked).toEqual(['inside db pay bus', 'beside pay bus', 'companion pay bus']);
  });

  it('does not know when no way works', async () => {
    const { results, asked } = await exploring([pathTo('db')], { inside: () => undefined });
    expect(results).toMatchObject([{ verdict: { status: 'unknown', reason: 'no-tool' }, via: null }]);
    expect(asked).toHaveLength(1);
    expect((await exploring([pathTo('db')], {})).results).toMatchObject([{ verdict: { status: 'unknown' } }]);
  });

  it('takes a look that fails for none, and a defect for one', async () => {
    const failure = new ArgusError(internalError, { message: 'no daemon' });
    const { results } = await exploring([pathTo('db')], { inside: () => failure, beside: () => saw('open') });
    expect(results).toMatchObject([{ verdict: { status: 'reachable' }, via: 'beside' }]);
    await expect(exploring([pathTo('db')], { inside: () => new Error('oops') })).rejects.toThrow('oops');
  });

  it('waits for what must listen, as long as it has patience, and asks only for what is missing', async () => {
    const { results, asked, elapsed } = await exploring([pathTo('db'), pathTo('pay')], {
      inside: ({ host }, _, passed) => saw(host === 'db' || passed > 9_000 ? 'open' : 'refused'),
    });
    expect(results.map(({ verdict }) => verdict.status)).toEqual(['reachable', 'reachable']);
    expect(asked[1]).toBe('inside pay');
    expect(elapsed).toBeLessThan(11_000);
    const never = await exploring([pathTo('pay')], { inside: () => saw('refused') });
    expect(never.results).toMatchObject([{ verdict: { status: 'unreachable', reason: 'refused' } }]);
    expect(never.elapsed).toBeGreaterThanOrEqual(30_000);
  });

  it('does not cry wolf over one bad moment', async () => {
    const { results } = await exploring([pathTo('db')], {
      inside: (_, look) => (look === 1 ? saw('unclear', 'not-found') : saw('open')),
    });
    expect(results).toMatchObject([{ verdict: { status: 'reachable' } }]);
  });

  it('does not wait long for a port that nobody has promised', async () => {
    const { results, elapsed } = await exploring([pathTo('db', false)], {
      inside: () => saw('refused'),
      beside: () => expect.fail('there is nothing more to see'),
    });
    expect(results).toMatchObject([{ verdict: { status: 'unknown', reason: 'nobody-listens' } }]);
    expect(elapsed).toBeLessThan(1_500);
  });
});
