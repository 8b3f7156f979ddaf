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
    expect(stepsFor(kernel, error)).toEqual([advice, 'argus check']);
  });

  it('is to update argus when a newer one has written the store', () => {
    const error = { code: 'STORE_UNAVAILABLE', suggestedActions: [] };
    const [newer] = stepsFor(kernel, { ...error, details: { reason: 'newer-schema' } });
    expect(newer).toMatch(/^Update argus, or name another folder in ARGUS_STATE_DIR/);
    expect(stepsFor(kernel, { ...error, details: { reason: 'full' } })[0]).toMatch(
      /^Make the folder writable/,
    );
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
