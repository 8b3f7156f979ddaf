import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';

const polite = `process.on('SIGTERM', () => { console.log('goodbye'); process.exit(7); }); console.log('ready'); ${forever}`;
const stubborn = `process.on('SIGTERM', () => undefined); console.log('ready'); ${forever}`;

async function linesOf({ runtime, run, signal }: World): Promise<string[]> {
  const lines: string[] = [];
  const query = { services: ['api'], follow: false };
  for await (const { text } of runtime.logs(run, query, signal)) lines.push(text);
  return lines;
}

describe('stopping a process', () => {
  it('leaves what it printed, and it can be started again in its place', async () => {
    const world = await makeWorld();
    const api = service('api', { command: node(polite) });
    const said = () => linesOf(world);
    await world.start(api);
    await until(async () => (await said()).includes('ready'));
    await world.runtime.stop(world.run, ['api'], { graceMs: 10_000, signal: world.signal });
    expect(await world.inspect('api')).toMatchObject({
      status: 'exited',
      exitCode: 7,
      endedAt: expect.any(Number),
    });
    await world.start(api);
    await until(async () => (await said()).length === 3);
    expect(await said()).toEqual(['ready', 'goodbye', 'ready']);
    expect(await world.inspect('api')).toMatchObject({ status: 'running', restarts: 1, spec: 'spec of api' });
  });

  it('ends one that does not listen, and one that hangs', async () => {
    const world = await makeWorld();
    await world.start(
      service('api', { command: node(stubborn) }),
      service('web', { command: node(stubborn) }),
    );
    process.kill(world.stateOf('web').child?.pid ?? 0, 'SIGSTOP');
    await world.runtime.stop(world.run, ['api', 'web'], { graceMs: 100, signal: world.signal });
    for (const name of ['api', 'web']) expect(await world.inspect(name)).toMatchObject({ status: 'exited' });
  });

  it('has nothing to do for what has ended or never was', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: ['true'] }));
    await world.ended('api');
    await world.runtime.stop(world.run, ['api', 'nobody'], { graceMs: 0, signal: world.signal });
    expect(await world.inspect('api')).toMatchObject({ status: 'exited', exitCode: 0 });
  });

  it('says when it was cancelled before it was done', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(stubborn) }));
    await until(async () => (await linesOf(world)).includes('ready'));
    const stopping = world.runtime.stop(world.run, ['api'], {
      graceMs: 60_000,
      signal: AbortSignal.timeout(100),
    });
    await expect(stopping).rejects.toThrow();
    expect(await world.inspect('api')).toMatchObject({ status: 'running' });
  });
});
