import { describe, expect, it } from 'vitest';
import { structuredError } from '../model/error-code.js';
import { definePlugin } from '../model/plugin.js';
import { defineRecoverer } from '../model/recoverer.js';
import { containerCrash } from '../model/service-error-codes.js';
import { diskSpaceLow, portConflict } from '../model/start-error-codes.js';
import { buildKernel } from '../testing/build-kernel.js';
import { presentError } from './present.js';

describe('what an error suggests', () => {
  it.each([
    ['auto', ['setup', 'status']],
    ['fail', ['status']],
  ])('is not to try again what cannot work: with %s, a taken port', (portConflictStrategy, expected) => {
    const config = { resilience: { network: { portConflictStrategy } } };
    const kernel = buildKernel({ config });
    const details = { service: 'api', port: 80, protocol: 'tcp' as const };
    const error = structuredError(portConflict, { message: 'taken', details }, 0);
    expect(presentError(kernel, error).suggestedActions).toEqual(expected);
  });

  it('is not another setup where a container spells out the port that is taken, unless that frees it', () => {
    const kernel = buildKernel();
    const details = { service: 'pay', port: 80, protocol: 'tcp', reason: 'spelt-out' } as const;
    const suggestedFor = (orphan: { orphan?: string }) => {
      const error = structuredError(
        portConflict,
        { message: 'taken', details: { ...details, ...orphan } },
        0,
      );
      return presentError(kernel, error).suggestedActions;
    };
    expect(suggestedFor({})).toEqual(['status']);
    expect(suggestedFor({ orphan: 'process:r/api' })).toEqual(['setup', 'status']);
  });

  it('is to clean what a dead run left, where that holds the port', () => {
    const recoverer = defineRecoverer({
      name: 'orphans.clean',
      description: 'Removes what dead runs left',
      risk: 'safe',
      handles: [portConflict],
      plan: async () => [],
      apply: async () => [],
    });
    const orphans = definePlugin({
      name: 'orphans',
      apply: ({ hooks }) => hooks.recoverers.tap('orphans', (all) => all.add(recoverer)),
    });
    const suggestedFor = (cleanOrphans: boolean, orphan?: string) => {
      const resilience = { preflight: { cleanOrphans }, network: { portConflictStrategy: 'fail' } };
      const kernel = buildKernel({ plugins: [orphans], config: { resilience } });
      const details = { service: 'api', port: 80, protocol: 'tcp' as const, ...(orphan ? { orphan } : {}) };
      const error = structuredError(portConflict, { message: 'taken', details }, 0);
      return presentError(kernel, error).suggestedActions;
    };
    expect(suggestedFor(true)).toEqual(['status']);
    expect(suggestedFor(true, 'process:r/api')).toEqual(['orphans.clean', 'setup', 'status']);
    expect(suggestedFor(false, 'process:r/api')).toEqual(['orphans.clean', 'status']);
  });

  it.each([
    ['a project of containers', { api: { image: 'x' } }, ['docker.prune']],
    ['a project of processes', { api: { command: 'x' } }, []],
    ['a project that has not said', {}, ['docker.prune']],
  ])('is to remove images only where there may be some: %s', (_, services, expected) => {
    const recoverer = defineRecoverer({
      name: 'docker.prune',
      description: 'Removes images',
      risk: 'destructive',
      handles: [diskSpaceLow],
      plan: async () => [],
      apply: async () => [],
    });
    const docker = definePlugin({
      name: 'docker',
      apply: ({ hooks }) => hooks.recoverers.tap('docker', (all) => all.add(recoverer)),
    });
    const details = { available: 1, required: 2, path: '/' };
    const error = structuredError(diskSpaceLow, { message: 'full', details }, 0);
    const kernel = buildKernel({ plugins: [docker], config: { services } });
    expect(presentError(kernel, error).suggestedActions).toEqual(expected);
  });

  it.each([
    ['a container', { container: 'argus-shop-api' }, ['setup', 'docker.restart-container', 'logs']],
    ['a process', {}, ['setup', 'logs']],
  ])('fits what has crashed: %s', (_, known, expected) => {
    const recoverer = defineRecoverer({
      name: 'docker.restart-container',
      description: 'Restarts containers',
      risk: 'disruptive',
      handles: [containerCrash],
      plan: async () => [],
      apply: async () => [],
    });
    const docker = definePlugin({
      name: 'docker',
      apply: ({ hooks }) => hooks.recoverers.tap('docker', (all) => all.add(recoverer)),
    });
    const details = { service: 'api', runId: 'r', exitCode: 3, finishedAt: 0, status: 'exited', ...known };
    const error = structuredError(containerCrash, { message: 'ended', details }, 0);
    const kernel = buildKernel({ plugins: [docker] });
    expect(presentError(kernel, error).suggestedActions).toEqual(expected);
  });
});
