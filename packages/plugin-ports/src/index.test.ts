import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createMemoryStore, type PortResolution } from '@argusai/core';
import { buildKernel, describePlugin } from '@argusai/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { freePorts } from './fixtures/free-ports.js';
import { holdTcp } from './fixtures/hold-port.js';
import { asked, container, hostPorts, makeStage } from './fixtures/stage.js';
import { tempFolder } from './fixtures/temp-folder.js';
import ports from './index.js';

let server: Server;

describePlugin(ports, {
  options: {},
  scenarios: [
    {
      name: 'a port that is held and one that two services ask for',
      async prepare() {
        server = createServer();
        const port = await new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        });
        const twice = await freePorts(1);
        const services = {
          api: { image: 'api', ports: [`${port}:80`] },
          web: { image: 'web', ports: [`${twice}:80`] },
          admin: { image: 'admin', ports: [`${twice}:80`, `${twice}:53/udp`] },
        };
        return { config: { services } };
      },
      cleanup: () => new Promise((resolve) => server.close(() => resolve())),
    },
  ],
});

describe('the ports plugin', () => {
  it('registers its checker and its code', () => {
    const kernel = buildKernel({ plugins: [ports] });
    expect(kernel.checkers.names()).toEqual(['ports.conflicts']);
    expect(kernel.errorCodes.has('PORT_EXHAUSTION')).toBe(true);
  });

  it('refuses a range that is none, and quotes it', () => {
    expect(() => buildKernel({ plugins: [[ports, { range: '80-90' }]] })).toThrow('80-90');
  });

  it('resolves ports in its stage of a setup, and gives them back when the run is over', async () => {
    const range = await freePorts(2);
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    const store = createMemoryStore();
    const { hooks } = buildKernel({ store, plugins: [[ports, { range: `${range}-${range + 1}` }]] });
    const stage = await makeStage();
    const services = [container('api', [`${port}:80`])];
    const resolution: PortResolution = await hooks.resolveEnvironment.promise(asked(services), stage);
    expect(hostPorts(resolution)).toEqual([[range]]);
    expect(await store.list('port-leases')).toHaveLength(1);
    await hooks.afterStop.promise(stage.run);
    expect(await store.list('port-leases')).toEqual([]);
  });

  it('fails where the configuration says so', async () => {
    const { port } = await holdTcp();
    const config = { resilience: { network: { portConflictStrategy: 'fail' } } };
    const { hooks } = buildKernel({ config, plugins: [ports] });
    const resolving = hooks.resolveEnvironment.promise(
      asked([container('api', [`${port}:80`])]),
      await makeStage(),
    );
    await expect(resolving).rejects.toMatchObject({ code: 'PORT_CONFLICT' });
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    for (const name of ['ports.conflicts', 'PORT_CONFLICT', 'PORT_EXHAUSTION', 'range']) {
      expect(readme).toContain(`\`${name}\``);
    }
    const program = join(tempFolder(), 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await import(program);
    expect(log).toHaveBeenCalledWith('warn', expect.stringMatching(/held by process \d+/), process.pid);
    log.mockRestore();
  });
});
