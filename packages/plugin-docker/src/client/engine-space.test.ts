import { beforeAll, describe, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { clientRig, signal } from '../fixtures/client-rig.js';
import { engineSpace, outOfSpace } from './engine-space.js';

describeWithEngine('the space of an engine', ({ host, dockerRoot }) => {
  const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: host }, diskSpaceThreshold: 7 });
  beforeAll(() => makeTestImage(host));

  it('is looked at where the engine keeps its images', async () => {
    const space = await engineSpace(client, signal);
    expect(space).toMatchObject({ path: dockerRoot });
    expect(space?.available).toBeLessThanOrEqual(space?.total ?? 0);
  });

  it('is in the error of a command that found none left', async () => {
    // The program says it, as a client does whose engine has a full disk.
    const args = [
      'run',
      '--rm',
      testImage,
      'sh',
      '-c',
      'echo "write /x: no space left on device" >&2; exit 1',
    ];
    await expect(client.run(args, { signal })).rejects.toMatchObject({
      error: {
        code: 'DISK_SPACE_LOW',
        severity: 'fatal',
        message: expect.stringMatching(/^docker run ran out of disk space: .* free in /),
        details: { required: 7, path: dockerRoot, available: expect.any(Number) },
      },
    });
  });
});

describe('the space of an engine that cannot be looked at', () => {
  const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: 'unix:///nowhere.sock' } });

  it('is not known, and the error has only the place', async () => {
    expect(await engineSpace(client, signal)).toBeUndefined();
    expect(await outOfSpace(client, { required: 7, what: 'A build', signal })).toMatchObject({
      message: 'A build ran out of disk space',
      error: { details: { available: 0, required: 7, path: 'unix:///nowhere.sock' } },
    });
  });

  it('is not asked for by a caller that has gone', async () => {
    await expect(engineSpace(client, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
