import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until } from '../fixtures/world.js';

describe.runIf(process.platform === 'linux')('the memory of a process', () => {
  it('is known at its highest while it runs, of the largest of its group', async () => {
    const world = await makeWorld();
    const peak = async (name: string) =>
      (await world.runtime.memoryPeak?.(world.run, name, world.signal)) ?? 0;
    const child = `const eaten = Buffer.alloc(150e6, 1); ${forever}`;
    const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); ${forever}`;
    await world.start(service('api', { command: node(parent) }));
    await until(async () => (await peak('api')) > 150e6);
    expect(await peak('api')).toBeLessThan(1e9);
    await world.runtime.stop(world.run, ['api'], { graceMs: 0, signal: world.signal });
    expect(await peak('api')).toBe(0);
    expect(await peak('other')).toBe(0);
  });
});
