import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart, type ServiceSpec } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until } from '../fixtures/world.js';

describe('running a command beside a service', () => {
  it('gives its exit code and its output, with the environment of the service', async () => {
    const { runtime, context, dir } = await makeWorld();
    const api = service('api', { environment: { WHO: 'me' } });
    const script = 'console.log(process.env.WHO, process.cwd()); console.error("oh"); process.exitCode = 3';
    const { exitCode, output } = await runtime.exec(api, node(script), context());
    expect(exitCode).toBe(3);
    expect(output.split('\n').filter(Boolean).sort()).toEqual([`me ${dir}`, 'oh'].sort());
  });

  it('uses a shell for a line that needs one', async () => {
    const { runtime, context } = await makeWorld();
    const api = service('api', { environment: { WHO: 'me' } });
    expect(await runtime.exec(api, 'echo "I am $WHO" && exit 5', context())).toEqual({
      exitCode: 5,
      output: 'I am me\n',
    });
  });

  it('says that a command is not there as a shell would', async () => {
    const { runtime, context } = await makeWorld();
    const { exitCode, output } = await runtime.exec(service('api'), 'no-such-program-here', context());
    expect(exitCode).toBe(127);
    expect(output).toContain('no-such-program-here');
    expect(await runtime.exec(service('api'), ['/'], context())).toMatchObject({ exitCode: 126 });
  });

  it('ends a command that takes too long, with all that it has started', async () => {
    const { runtime, context, dir } = await makeWorld();
    const healthcheck = { command: 'x', timeout: 600 } as NonNullable<ServiceSpec['healthcheck']>;
    const clock = createSimulatedClock();
    const command = 'echo waiting; sleep 1000 & echo $! > pid; wait';
    const running = runtime.exec(service('api', { healthcheck }), command, context({ clock }));
    await until(async () => (await readFile(join(dir, 'pid'), 'utf8').catch(() => '')) !== '');
    await clock.advance(600);
    expect(await running).toEqual({ exitCode: 124, output: 'waiting\nit took longer than 600 ms' });
    const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
    await until(async () => (await processStart(pid)) === undefined);
  });

  it('ends a command when it is cancelled', async () => {
    const { runtime, context, dir } = await makeWorld();
    const controller = new AbortController();
    const { signal } = controller;
    const command = node(`require('fs').writeFileSync('pid', String(process.pid)); ${forever}`);
    const running = runtime.exec(service('api'), command, context({ signal }));
    const written = async () => Number(await readFile(join(dir, 'pid'), 'utf8').catch(() => ''));
    await until(async () => (await written()) > 0);
    const pid = await written();
    expect(await processStart(pid)).toBeDefined();
    controller.abort();
    await expect(running).rejects.toThrow(/abort/);
    await until(async () => (await processStart(pid)) === undefined);
    await expect(runtime.exec(service('api'), ['true'], context({ signal }))).rejects.toThrow(/abort/);
  });

  it('leaves nothing running that the command has started', async () => {
    const { runtime, context, dir } = await makeWorld();
    await runtime.exec(service('api'), 'sleep 1000 & echo $! > pid', context());
    const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
    await until(async () => (await processStart(pid)) === undefined);
  });
});
