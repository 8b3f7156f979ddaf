import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelService } from '../environment/fixtures/environment-kernel.js';
import { guardedWorld, pass } from './fixtures/guarded-world.js';

const windowMs = 10_000;
const perMs = 120_000;

/** What happens to the services, one thing after the other. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ crash: fc.constantFrom('api', 'db') }) },
  {
    weight: 6,
    arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 30 }).map((seconds) => seconds * 1_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ back: fc.integer({ min: 1, max: 3_600 }).map((seconds) => seconds * 1_000) }),
  },
  { weight: 1, arbitrary: fc.constant('break the stream' as const) },
  { weight: 1, arbitrary: fc.constant('another guardian' as const) },
);

describe('whatever happens to guarded services', () => {
  it('no incident gets one restart too many, no window one restart more than the storm limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.record({ maxRestarts: fc.integer({ min: 0, max: 3 }), max: fc.integer({ min: 1, max: 5 }) }),
        // How long each start of a service lasts; the last of them for ever.
        fc.array(
          fc.integer({ min: 1, max: 40 }).map((seconds) => seconds * 500),
          { maxLength: 8 },
        ),
        async (steps, { maxRestarts, max }, lives) => {
          const container = { maxRestarts, stormLimit: { max, per: `${perMs}ms` }, restartDelay: '0s' };
          const services = { db: modelService(), api: modelService({ dependsOn: ['db'] }) };
          const starts: Record<string, number[]> = { api: [], db: [] };
          const world = await guardedWorld({ services, container }, ({ runtime, clock }) => {
            for (const name of ['api', 'db']) {
              runtime.behaviours[name] = (start) => {
                if (start > 1) starts[name]?.push(clock.monotonic());
                const life = start === 1 ? undefined : lives[start - 2];
                return life === undefined ? {} : { exits: { code: 1, afterMs: life } };
              };
            }
          });
          await world.guard();
          for (const one of steps) {
            if (one === 'break the stream') world.runtime.cutStreams();
            else if (one === 'another guardian') await world.guard();
            else if ('crash' in one) world.runtime.crash(one.crash);
            else if ('pass' in one) await pass(world, one.pass, 500);
            else world.clock.jump(-one.back);
          }
          await pass(world, 30_000, 500);

          for (const times of Object.values(starts)) {
            for (const [index, at] of times.entries()) {
              const earlier = times[index - max];
              if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(perMs);
              // Between more restarts than one incident may have, the service was stable at least once.
              const recent = times.slice(Math.max(0, index - maxRestarts), index + 1);
              const gaps = recent.slice(1).map((time, n) => time - (recent[n] ?? time));
              if (recent.length > maxRestarts) expect(Math.max(...gaps)).toBeGreaterThanOrEqual(windowMs);
            }
          }
          for (const { restarts } of await world.incidents()) {
            expect(restarts.length).toBeLessThanOrEqual(maxRestarts);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a service that never stays up gets exactly as many restarts as it may have, with delays that double', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: windowMs - 200 }),
        fc.constantFrom('exponential', 'linear'),
        async (maxRestarts, lifeMs, restartBackoff) => {
          const container = { maxRestarts, restartBackoff, maxRestartDelay: '20s' };
          const world = await guardedWorld({ container }, ({ runtime }) => {
            runtime.behaviours.api = (start) => (start === 1 ? {} : { exits: { code: 1, afterMs: lifeMs } });
          });
          await world.guard();
          world.runtime.crash('api');
          await pass(world, 240_000, 500);
          expect(world.starts('api')).toBe(1 + maxRestarts);
          const [incident, ...others] = await world.incidents();
          expect(others).toEqual([]);
          expect(incident).toMatchObject({ outcome: 'exhausted' });
          const expected = Array.from({ length: maxRestarts }, (_, index) =>
            Math.min(20_000, restartBackoff === 'linear' ? 2_000 * (index + 1) : 2_000 * 2 ** index),
          );
          expect(incident?.restarts.map(({ delayMs }) => delayMs)).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });
});
