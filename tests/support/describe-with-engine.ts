import { describe, inject, it } from 'vitest';
import type { EngineAddress } from './engine.js';

/**
 * Describes what needs a Docker engine. Where there is none the tests are skipped, with the reason in the title; with
 * `ARGUS_REQUIRE_ENGINE=1` that is a failure.
 */
export function describeWithEngine(name: string, tests: (engine: EngineAddress) => void): void {
  const engine = inject('engine');
  if (!('missing' in engine)) {
    describe(name, () => tests(engine));
  } else if (process.env.ARGUS_REQUIRE_ENGINE === '1') {
    describe(name, () => {
      it('has a Docker engine', () => {
        throw new Error(`ARGUS_REQUIRE_ENGINE is set, but ${engine.missing}`);
      });
    });
  } else {
    // The tests are collected, so that they are counted, and not run.
    describe.skip(`${name} (${engine.missing})`, () =>
      tests({ host: 'unix:///nowhere', dockerRoot: '/nowhere' }));
  }
}
