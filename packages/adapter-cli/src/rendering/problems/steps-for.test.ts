import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { stepsFor } from './steps-for.js';

const plugins = await Promise.all(Object.values(builtinPlugins).map((load) => load()));
const kernel = buildKernel({ plugins });
const codes = kernel.errorCodes.values().map((code) => [code.code, code] as const);
const advice = 'Start Docker, or correct what the reason in the details names.';

describe('what to do about a problem', () => {
  it('is not the command that has just found it', () => {
    const error = { code: 'DOCKER_UNAVAILABLE', suggestedActions: ['preflight-check'], details: {} };
    expect(stepsFor(kernel, error, { foundBy: 'check' })).toEqual([advice]);
    expect(stepsFor(kernel, error)).toEqual([advice.replace(/\.$/, '; then argus check')]);
  });

  it.each([
    ['not-installed', /^Install Docker/],
    ['not-running', /^Start Docker/],
    ['no-permission', /group docker/],
    ['hung', /restart it/],
  ])('is what the reason asks for, where Docker cannot be used: %s', (reason, advised) => {
    const error = { code: 'DOCKER_UNAVAILABLE', suggestedActions: ['preflight-check'], details: { reason } };
    expect(stepsFor(kernel, error, { command: 'setup' })[0]).toMatch(advised);
  });

  it('is the same after a run as after a setup for a service that is not well in time', () => {
    const error = { code: 'HEALTH_CHECK_TIMEOUT', suggestedActions: ['setup'], details: { service: 'api' } };
    const afterSetup = stepsFor(kernel, error, { command: 'setup' });
    expect(afterSetup[0]).toMatch(/startPeriod/);
    expect(stepsFor(kernel, error, { command: 'run' })).toEqual(afterSetup);
  });

  it('is first to read what the build has printed, which would print the same again', () => {
    const error = { code: 'BUILD_FAILED', suggestedActions: ['build'], details: { service: 'api' } };
    expect(stepsFor(kernel, error, { command: 'setup' })).toEqual([
      expect.stringMatching(/^Read the last lines of the output/),
    ]);
  });

  it('is to update argus when a newer one has written the store', () => {
    const error = { code: 'STORE_UNAVAILABLE', suggestedActions: [] };
    const [newer] = stepsFor(kernel, { ...error, details: { reason: 'newer-schema' } });
    expect(newer).toMatch(/^Update argus, or name another folder in ARGUS_STATE_DIR/);
    expect(stepsFor(kernel, { ...error, details: { reason: 'full' } })[0]).toMatch(
      /^Make the folder writable/,
    );
  });

  it('is to wait for whoever holds the store', () => {
    const error = { code: 'STORE_UNAVAILABLE', suggestedActions: [], details: { reason: 'busy' } };
    expect(stepsFor(kernel, error)[0]).toMatch(/^Try again when no other argus/);
  });

  it.each([
    ['deadline', true],
    ['timeout', false],
    ['threw', false],
    ['rubbish', false],
    ['undeclared-code', false],
    ['could-not-look', false],
  ])('is more time for all checks only where that has run out: %s', (reason, helps) => {
    const error = { code: 'CHECK_BROKEN', suggestedActions: ['preflight-check'], details: { reason } };
    const [advised = ''] = stepsFor(kernel, error, { foundBy: 'check' });
    expect(advised).toMatch(/leave (it|this one) out with --skip\.$/);
    expect(advised.includes('more time with --timeout')).toBe(helps);
  });

  it.each(codes)(
    'is never to check again after a check, and never nothing: %s',
    (code, { suggestedActions }) => {
      const steps = stepsFor(
        kernel,
        { code, suggestedActions: [...suggestedActions], details: {} },
        { foundBy: 'check' },
      );
      expect(steps).not.toContain('argus check');
      expect(steps).not.toEqual([]);
    },
  );
});
