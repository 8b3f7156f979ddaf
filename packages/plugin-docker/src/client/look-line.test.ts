import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { signal } from '../fixtures/client-rig.js';
import type { EngineAnswer, EngineLine } from './dial-engine.js';
import { LookLine } from './look-line.js';

/** Lines to somebody who may be no engine. */
function linesTo(answer: (path: string) => EngineAnswer | Promise<EngineAnswer>) {
  const clock = createSimulatedClock();
  const lines = { opened: 0, closed: 0, asked: [] as string[] };
  let isBusy = false;
  const dial = async (): Promise<EngineLine> => {
    lines.opened += 1;
    return {
      post: async () => ({ status: 500, body: '' }),
      async get(path, abort) {
        expect(isBusy).toBe(false);
        isBusy = true;
        try {
          lines.asked.push(path);
          abort.throwIfAborted();
          return await Promise.race([
            answer(path),
            new Promise<never>((_, reject) => {
              abort.addEventListener('abort', () => reject(abort.reason), { once: true });
            }),
          ]);
        } finally {
          isBusy = false;
        }
      },
      close: () => {
        lines.closed += 1;
      },
    };
  };
  return { clock, lines, look: new LookLine(clock, dial) };
}

const found = (path: string): EngineAnswer => ({ status: 200, body: JSON.stringify({ Id: path }) });

describe('a line for looking at things', () => {
  it('is opened once, gives answers in their order, and nothing for what does not exist', async () => {
    const { look, lines } = linesTo((path) =>
      path === '/gone' ? { status: 404, body: '{"message":"No such container: gone"}' } : found(path),
    );
    expect(lines.opened).toBe(0);
    const [first, second] = await Promise.all([
      look.ask(['/a', '/gone', '/b'], signal),
      look.ask(['/c'], signal),
    ]);
    expect(first).toEqual([{ Id: '/a' }, undefined, { Id: '/b' }]);
    expect(second).toEqual([{ Id: '/c' }]);
    expect(lines).toEqual({ opened: 1, closed: 0, asked: ['/a', '/gone', '/b', '/c'] });
  });

  it('is closed when nobody has looked for a while, and opened again', async () => {
    const { look, lines, clock } = linesTo(found);
    await look.ask(['/a'], signal);
    await clock.advance(14_999);
    await look.ask(['/b'], signal);
    await clock.advance(14_999);
    expect(lines.closed).toBe(0);
    await clock.advance(1);
    expect(lines.closed).toBe(1);
    expect(await look.ask(['/c'], signal)).toEqual([{ Id: '/c' }]);
    expect(lines.opened).toBe(2);
  });

  it.each([
    ['an engine in trouble', { status: 500, body: '{"message":"oh"}' }],
    ['a server that knows no such page', { status: 404, body: '{"message":"page"}' }],
    ['something that speaks no JSON', { status: 200, body: 'hello' }],
  ])('leaves it to a command to find out about %s, and is not tried again', async (_, answer) => {
    const { look, lines } = linesTo(() => answer);
    expect(await look.ask(['/a'], signal)).toBeUndefined();
    expect(await look.ask(['/b'], signal)).toBeUndefined();
    expect(lines).toEqual({ opened: 1, closed: 1, asked: ['/a'] });
  });

  it('is opened again when it broke after it had worked', async () => {
    let isBroken = false;
    const { look, lines } = linesTo((path) => {
      if (isBroken) throw new Error('The connection to the engine was closed');
      return found(path);
    });
    await look.ask(['/a'], signal);
    isBroken = true;
    expect(await look.ask(['/b'], signal)).toBeUndefined();
    isBroken = false;
    expect(await look.ask(['/c'], signal)).toEqual([{ Id: '/c' }]);
    expect(lines).toMatchObject({ opened: 2, closed: 1 });
  });

  it('is given up when the engine is silent, and when the caller is', async () => {
    let silence = true;
    const { look, clock } = linesTo((path) => (silence ? new Promise(() => undefined) : found(path)));
    const silent = look.ask(['/a'], signal);
    await clock.advance(1_000);
    expect(await silent).toBeUndefined();
    const stop = new AbortController();
    const stopped = look.ask(['/a'], stop.signal);
    stop.abort();
    expect(await stopped).toBeUndefined();
    silence = false;
    expect(await look.ask(['/b'], signal)).toEqual([{ Id: '/b' }]);
  });
});
