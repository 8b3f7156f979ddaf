import { expect, it } from 'vitest';
import { containerProject, idleService } from '../environment/container-project.js';
import { freePorts } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';

describeWithEngine('a process that a container needs', ({ host }) => {
  it('is told to listen on 0.0.0.0 when it does so on 127.0.0.1 alone, and is reached when it does', async () => {
    const image = await makeTestImage(host);
    const port = await freePorts(1);
    const on = (address: string) => ({
      plugins: [
        '@argusai/plugin-docker',
        '@argusai/plugin-process',
        ['@argusai/plugin-network', { verify: { patience: '1s' } }],
      ],
      services: {
        api: {
          command: [
            process.execPath,
            '-e',
            `require('node:http').createServer((_, to) => to.end()).listen(${port}, '${address}')`,
          ],
          ports: [`${port}:${port}`],
          healthcheck: { http: '/', interval: '100ms' },
        },
        web: idleService(image, { dependsOn: ['api'] }),
      },
    });
    const project = await containerProject(host, { config: on('127.0.0.1') });
    const { error } = await project.argus('setup');
    expect(error).toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringMatching(
        /web does not reach api.* listens on 0\.0\.0\.0, not on 127\.0\.0\.1 alone/,
      ),
    });
    await project.configure(on('0.0.0.0'));
    expect((await project.argus('setup')).error).toBeUndefined();
  });
});
