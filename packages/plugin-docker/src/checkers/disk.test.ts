import { runChecks } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import docker from '../index.js';
import { usageIn } from './disk.js';

afterEach(() => vi.unstubAllEnvs());

describe('what Docker keeps', () => {
  it('is read from what the engine says for people', () => {
    const output = [
      '{"Active":"1","Reclaimable":"1.5GB (50%)","Size":"3GB","TotalCount":"7","Type":"Images"}',
      '{"Active":"0","Reclaimable":"0B","Size":"12.3kB","TotalCount":"2","Type":"Local Volumes"}',
      '',
    ].join('\n');
    expect(usageIn(output)).toEqual([
      { kind: 'images', count: 7, size: 3_000_000_000, reclaimable: 1_500_000_000 },
      { kind: 'local volumes', count: 2, size: 12_300, reclaimable: 0 },
    ]);
  });
});

describeWithEngine('docker.disk', ({ host }) => {
  beforeAll(() => makeTestImage(host));
  const check = async (reclaimable: string | number) => {
    vi.stubEnv('DOCKER_HOST', host);
    const kernel = buildKernel({ plugins: [[docker, { reclaimable }]] });
    return (await runChecks(kernel, { only: ['docker.disk'] })).checks.find(
      ({ name }) => name === 'docker.disk',
    );
  };

  it('passes below the threshold and says what could be reclaimed', async () => {
    expect(await check('8PB')).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/could be reclaimed from Docker$/),
      details: {
        threshold: 8e15,
        kinds: expect.arrayContaining([expect.objectContaining({ kind: 'images' })]),
      },
    });
  });

  it('warns from the threshold on', async () => {
    expect(await check(0)).toMatchObject({
      status: 'warn',
      error: { code: 'DOCKER_SPACE_RECLAIMABLE', suggestedActions: ['docker.prune'] },
    });
  });
});
