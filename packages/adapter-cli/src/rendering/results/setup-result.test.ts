import { storeCorrupt, structuredError } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { buildLines, type ShownSetup, setupLines } from './setup-result.js';

const text = (lines: Parameters<typeof paint>[0]) => paint(lines, { color: false });

describe('a setup', () => {
  const api: ShownSetup['services'][number] = {
    name: 'api',
    runtime: 'process',
    status: 'ready',
    endpoints: ['http://localhost:81'],
  };
  const worker: ShownSetup['services'][number] = {
    name: 'worker',
    runtime: 'process',
    status: 'kept',
    endpoints: [],
  };
  const mapping = { service: 'api', originalPort: 80, actualPort: 81, reassigned: true };
  const setup: ShownSetup = {
    runId: 'r1',
    unchanged: false,
    services: [api, worker],
    removed: [],
    resumed: [],
    stages: { gate: 10, start: 30 },
    portMappings: [mapping, { ...mapping, service: 'worker', reassigned: false }],
    notices: [],
  };
  const kernel = buildKernel();

  it('shows where everything is and which ports were moved', () => {
    expect(text(setupLines(setup, kernel))).toBe(
      [
        'api     ready  process  http://localhost:81',
        'worker  kept   process',
        'api has port 81 instead of 80',
        'up: 2 services, run r1 is up after 40 ms',
        '',
      ].join('\n'),
    );
  });

  it('says what somebody had paused, and that it goes on', () => {
    expect(text(setupLines({ ...setup, resumed: ['api'] }, kernel))).toContain(
      '\napi was paused and goes on\n',
    );
  });

  it('shows what is known of the network, as far as it can be understood', () => {
    const path = { from: 'api', to: 'db', host: 'db', port: 80, status: 'unknown', reason: 'no-tool' };
    const results = [{ ...path, via: null, tcp: null }];
    const networkVerification = { allReachable: false, results, reconnected: ['api'] };
    expect(text(setupLines({ ...setup, networkVerification }, kernel))).toContain(
      [
        'api was connected to its network again',
        'api → db unknown: db:80: there is nothing to look with (no-tool)',
        '0 of 1 path verified',
        'up: 2 services',
      ].join('\n'),
    );
    const other = { ...setup, networkVerification: 'fine' };
    expect(text(setupLines(other, kernel))).toBe(text(setupLines(setup, kernel)));
  });

  it('names what was taken down', () => {
    expect(text(setupLines({ ...setup, removed: ['old', 'older'] }, kernel))).toContain(
      [
        'worker  kept   process',
        'old was taken down, because it is no longer configured',
        'older was taken down, because it is no longer configured',
        'api has port 81 instead of 80',
      ].join('\n'),
    );
  });

  it('says that nothing had to be changed', () => {
    const lines = setupLines({ ...setup, services: [api], portMappings: [], unchanged: true }, kernel);
    expect(text(lines)).toContain('up: one service, run r1 is up already, nothing had to be changed\n');
  });

  it('tells what went wrong beside it', () => {
    const details = { store: 'argus.db', movedTo: 'argus.db.corrupt-1' };
    const notice = structuredError(storeCorrupt, { message: 'The state was damaged', details }, 0);
    const lines = text(setupLines({ ...setup, notices: [notice] }, kernel));
    expect(lines).toContain('notice: The state was damaged\n  code: STORE_CORRUPT\n');
  });
});

describe('a build', () => {
  it('shows the images and how long it took, and nothing of the checks before it', () => {
    const images = [
      { service: 'api', image: 'shop-api', id: 'sha256:0123456789abcdef' },
      { service: 'db', image: 'shop-db:dev', id: 'fedcba9876543210' },
    ];
    const whole = { images, duration: 1_200, preflight: { overall: 'healthy', checks: [] } };
    expect(text(buildLines(whole))).toBe(
      'api  shop-api     0123456789ab\ndb   shop-db:dev  fedcba987654\nbuilt: 2 images in 1.2 s\n',
    );
  });

  it('says when no service has one', () => {
    expect(text(buildLines({ images: [], duration: 1 }))).toBe(
      'There was nothing to build: no service has a build\n',
    );
  });
});
