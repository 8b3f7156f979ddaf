import { describe, expect, it } from 'vitest';
import { makeWorld } from '../../environment/fixtures/environment-kernel.js';
import { contextOf, runOf, service } from '../../environment/fixtures/service.js';
import { type Follower, followRuntime } from './follow-runtime.js';
import { Reach } from './reach.js';

async function follow(follower: Follower) {
  const world = makeWorld();
  const { clock, runtime } = world;
  await runtime.start(service('a'), 'spec', contextOf(world));
  const over = new AbortController();
  const reach = new Reach(clock, async () => undefined, over.signal);
  const following = followRuntime(clock, runtime, runOf(), follower, reach, over.signal);
  return { clock, runtime, over, following };
}

describe('whoever follows a runtime', () => {
  it('looks around again whenever the runtime is back', async () => {
    let looks = 0;
    const lookAround = () => void looks++;
    const { clock, runtime, over, following } = await follow({ hear: () => undefined, lookAround });
    expect(looks).toBe(1);
    runtime.breaks('watch', new Error('it is down'), 1);
    runtime.cutStreams();
    await clock.advance(250);
    await clock.advance(500);
    expect(looks).toBe(2);
    over.abort();
    await following;
  });

  it('is not taken for a runtime that is down when it cannot do anything with what is told', async () => {
    const hear = () => {
      throw new Error('that makes no sense');
    };
    const { runtime, following } = await follow({ hear, lookAround: () => undefined });
    runtime.crash('a');
    await expect(following).rejects.toThrow('that makes no sense');
  });
});
