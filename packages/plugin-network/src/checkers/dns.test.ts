import { type Clock, systemClock } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { checkWith } from '../fixtures/check-with.js';

describe('network.dns', () => {
  it('passes for a name that leads somewhere, and says where', async () => {
    expect(await checkWith({ dns: ['localhost'] })).toMatchObject([
      {
        name: 'network.dns',
        target: 'localhost',
        status: 'pass',
        message: expect.stringMatching(/^localhost is .*(127\.0\.0\.1|::1).*, found in [\d.]+ ms$/),
        details: { addresses: expect.arrayContaining([expect.stringMatching(/127\.0\.0\.1|::1/)]) },
      },
    ]);
  });

  it('fails for a name that leads nowhere', async () => {
    expect(await checkWith({ dns: [{ host: 'no-such-host.invalid', name: 'licences' }] })).toMatchObject([
      {
        target: 'licences',
        status: 'fail',
        error: {
          code: 'DNS_RESOLUTION_FAILED',
          details: {
            source: 'this machine',
            target: 'licences',
            host: 'no-such-host.invalid',
            network: null,
            containers: [],
            reason: expect.stringMatching(/not-found|no-answer/),
          },
        },
      },
    ]);
  });

  it('says when no name server answers', async () => {
    // The limit is over before anyone can answer.
    const clock: Clock = {
      ...systemClock,
      after(ms, callback, options) {
        if (ms !== 1) return systemClock.after(ms, callback, options);
        queueMicrotask(callback);
        return () => undefined;
      },
    };
    const checking = checkWith({ dns: [{ host: 'no-such-host.invalid', timeout: '1ms' }] }, clock);
    expect(await checking).toMatchObject([
      { status: 'fail', error: { details: { reason: 'no-answer', systemCode: 'ETIMEDOUT' } } },
    ]);
  });
});
