import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import { configInvalid, structuredError, usageInvalid } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { nextSteps } from './next-steps.js';

const plugins = await Promise.all(Object.values(builtinPlugins).map((load) => load()));
const kernel = buildKernel({ plugins });
const codes = kernel.errorCodes.values().map((code) => [code.code, code] as const);

describe('what to do about an error', () => {
  it.each(codes)('%s is said', (_, code) => {
    const error = structuredError(code, { message: 'no', details: { plugin: 'x' } }, 0);
    const [step] = nextSteps(error, { cwd: '/', kernel, command: 'setup' });
    expect(step).toMatch(/\w+ \w+/);
    expect(step).not.toContain('undefined');
  });

  it.each(codes)('%s is said when what would help is not loaded or has gone', (_, code) => {
    const error = structuredError({ ...code, suggestedActions: [] }, { message: 'no', details: {} }, 0);
    expect(nextSteps(error, { cwd: '/', kernel, command: 'setup' })).not.toEqual([]);
    expect(nextSteps(error, { cwd: '/' })).not.toEqual([]);
  });

  const stepsOf = (code: string, suggestedActions: string[], command: string) => {
    const found = kernel.errorCodes.get(code) ?? usageInvalid;
    const error = structuredError({ ...found, suggestedActions }, { message: 'no', details: {} }, 0);
    return nextSteps(error, { cwd: '/', kernel, command });
  };

  it('is not only the same command again', () => {
    expect(stepsOf('SERVICE_START_FAILED', ['setup'], 'setup')).toEqual([
      'Read the last lines of its output, and correct the service or its configuration; one that is meant to end needs oneShot: true.',
    ]);
    expect(stepsOf('DOCKER_UNAVAILABLE', ['preflight-check'], 'setup')).toEqual([
      'Start Docker, or correct what the reason in the details names.',
    ]);
  });

  it('is to make a stale plan again with the command that should carry it out', () => {
    const stale = kernel.errorCodes.get('PLAN_STALE') ?? usageInvalid;
    const error = structuredError(stale, { message: 'no', details: { asked: 'a', hash: 'b' } }, 0);
    const scene = { cwd: '/', kernel, input: { only: ['disk.space'] } };
    expect(nextSteps(error, { ...scene, command: 'fix' })).toEqual(['argus fix --plan --only disk.space']);
    expect(nextSteps(error, { ...scene, command: 'apply-recovery' })).toEqual(['argus fix']);
  });

  it('is to have the file of the predecessor turned into a configuration', () => {
    const stepsIn = (cwd: string, file: string, ...keys: string[]) => {
      const problems = keys.map((path) => ({ path, message: `unknown key "${path}"` }));
      const error = structuredError(configInvalid, { message: 'no', details: { file, problems } }, 0);
      return nextSteps(error, { cwd });
    };
    expect(stepsIn('/shop', '/shop/e2e.yaml', 'version', 'service')).toEqual([
      'argus init makes an argus.config.yaml from it',
      'correct e2e.yaml and try again',
    ]);
    expect(stepsIn('/shop/api', '/shop/e2e.yml', 'version')[0]).toBe(
      'argus init in /shop makes an argus.config.yaml from it',
    );
    expect(stepsIn('/shop', '/shop/e2e.yaml', 'servces')).toEqual(['correct e2e.yaml and try again']);
    expect(stepsIn('/shop', '/shop/argus.config.yaml', 'version')).toHaveLength(1);
  });

  it('is to correct a command that is not there', () => {
    const found = kernel.errorCodes.get('SERVICE_START_FAILED') ?? usageInvalid;
    const details = { service: 'api', reason: 'command-missing' };
    const error = structuredError(found, { message: 'no', details }, 0);
    expect(nextSteps(error, { cwd: '/', kernel, command: 'setup' })).toEqual([
      'Correct the command of the service, or install what it starts.',
    ]);
  });

  it('is to say so of a service that is meant to end', () => {
    const found = kernel.errorCodes.get('SERVICE_START_FAILED') ?? usageInvalid;
    const stepsAfter = (reason: string) =>
      nextSteps(structuredError(found, { message: 'no', details: { service: 'job', reason } }, 0), {
        cwd: '/',
        kernel,
        command: 'setup',
      });
    expect(stepsAfter('ended-well')[0]).toMatch(/^Write oneShot: true/);
    expect(stepsAfter('exited')[0]).not.toMatch(/^Write oneShot/);
  });

  it('is to see to a plugin that is to blame, and not to what names it rightly', () => {
    const problem = {
      path: 'plugins[0]',
      message: 'plugin ./own.mjs cannot be loaded: boom',
      value: './own.mjs',
    };
    const stepsFor = (...problems: object[]) =>
      nextSteps(
        structuredError(
          configInvalid,
          { message: 'no', details: { file: '/argus.json', problems } as never },
          0,
        ),
        { cwd: '/' },
      );
    expect(stepsFor(problem)).toEqual(['correct the plugin ./own.mjs, or take it out of argus.json']);
    expect(stepsFor(problem, { ...problem, path: 'plugins[1]', value: 'other' })).toEqual([
      'correct the plugins ./own.mjs and other, or take them out of argus.json',
    ]);
    // It is not there under this name, so the name may be wrong.
    expect(stepsFor({ ...problem, suggestion: 'npm install own' })).toEqual([
      'correct argus.json and try again',
    ]);
    expect(stepsFor(problem, { path: 'project', message: 'no' })).toEqual([
      'correct argus.json and try again',
    ]);
  });

  it('is not only to look, which leads back to where it failed', () => {
    expect(stepsOf('PORT_CONFLICT', ['status'], 'setup')).toEqual([
      'Stop the program that holds the port, or ask for another one in the configuration.',
    ]);
  });

  it('is what a wrong use itself suggests, and else the help of the command', () => {
    expect(stepsOf('USAGE_INVALID', ['setup'], 'logs')).toEqual(['argus setup']);
    expect(stepsOf('USAGE_INVALID', [], 'logs')).toEqual(['argus logs --help']);
  });

  it.each(['setup', 'run', 'build'])(
    'is to say what to start where the configuration has nothing: %s',
    (command) => {
      const details = { project: 'shop', dir: '/shop', file: '/shop/argus.config.yaml' };
      const error = structuredError({ ...usageInvalid, suggestedActions: [] }, { message: 'no', details }, 0);
      expect(nextSteps(error, { cwd: '/shop', kernel, command })).toEqual([
        'write what to start into argus.config.yaml, or uncomment the example there, and try again',
      ]);
    },
  );

  it('is to run a command again that was cancelled', () => {
    expect(stepsOf('CANCELLED', [], 'setup')).toEqual(['argus setup does it again, when you want it done']);
  });
});
