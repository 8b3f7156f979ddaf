import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../../testing/simulated-clock.js';
import { service } from '../fixtures/service.js';
import type { ServiceState } from '../runtime.js';
import { sharedLook } from './shared-look.js';

describe('looks that are shared', () => {
  /** A look that is answered when the test says so. */
  function slowLook() {
    const asked: string[][] = [];
    const answers: ((error?: Error) => void)[] = [];
    const clock = createSimulatedClock();
    const look = sharedLook(clock, (services) => {
      asked.push(services.map(({ name }) => name));
      const states = services.map(({ name }): [string, ServiceState] => [
        name,
        { service: name, status: 'running', restarts: asked.length },
      ]);
      return new Promise((resolve, reject) => {
        answers.push((error) => (error ? reject(error) : resolve(new Map(states))));
      });
    });
    return { asked, answers, look, clock };
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('are made together, and what is asked meanwhile is answered by the next', async () => {
    const { asked, answers, look } = slowLook();
    const first = ['a', 'b', 'a'].map((name) => look(service(name)));
    await turn();
    const second = ['a', 'c'].map((name) => look(service(name)));
    await turn();
    expect(asked).toEqual([['a', 'b']]);
    answers[0]?.();
    expect((await Promise.all(first)).map(({ restarts }) => restarts)).toEqual([1, 1, 1]);
    await turn();
    answers[1]?.();
    expect((await Promise.all(second)).map(({ restarts }) => restarts)).toEqual([2, 2]);
    expect(asked).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('that fail fail for those who asked, and for nobody later', async () => {
    const { answers, look } = slowLook();
    const first = look(service('a'));
    await turn();
    const second = look(service('a'));
    answers[0]?.(new Error('it is down'));
    await expect(first).rejects.toThrow('it is down');
    await turn();
    answers[1]?.();
    expect(await second).toMatchObject({ status: 'running' });
  });

  it('tell of what nobody knows as missing', async () => {
    const look = sharedLook(createSimulatedClock(), async () => new Map());
    expect(await look(service('a'))).toEqual({ service: 'a', status: 'missing' });
  });

  it('remember what they have seen of each service, from when they began', async () => {
    const { answers, look, clock } = slowLook();
    const both = ['a', 'b'].map((name) => look(service(name)));
    await turn();
    await clock.advance(30);
    answers[0]?.();
    await Promise.all(both);
    const again = look(service('b'));
    await turn();
    answers[1]?.();
    await again;
    await clock.advance(70);
    expect([...look.within(70).keys()]).toEqual(['b']);
    expect([...look.within(100).values()]).toMatchObject([
      { service: 'a', restarts: 1 },
      { service: 'b', restarts: 2 },
    ]);
    await clock.advance(31);
    expect(look.within(100).size).toBe(0);
  });
});
