import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runChecks } from '../check/run-checks.js';
import { isArgusError } from '../model/argus-error.js';
import { defineErrorCode } from '../model/error-code.js';
import { defineOperation } from '../model/operation.js';
import { definePlugin } from '../model/plugin.js';
import { defineRecoverer } from '../model/recoverer.js';
import { buildKernel, checking, registering } from '../testing/build-kernel.js';

const passing = (name: string, requires: string[] = []) =>
  checking(name, ({ pass }) => pass('fine'), { requires });
const code = (name: string, suggestedActions: string[] = []) =>
  defineErrorCode({
    code: name,
    category: 'system',
    severity: 'warning',
    summary: 'A test',
    suggestedActions,
  });

function errorOf(make: () => unknown) {
  try {
    make();
  } catch (thrown) {
    if (isArgusError(thrown)) return thrown.error;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

describe('createKernel', () => {
  it('lets every plugin register and knows who registered what', () => {
    const kernel = buildKernel({
      plugins: [registering('a', { checkers: [passing('a.one')], codes: [code('A_BROKEN')] })],
    });
    expect(kernel.checkers.ownerOf('a.one')).toBe('a');
    expect(kernel.errorCodes.ownerOf('A_BROKEN')).toBe('a');
    expect(kernel.operations.ownerOf('preflight-check')).toBe('core');
  });

  it('gives plugins the variables that it was given, and those of the process without any', () => {
    const given: unknown[] = [];
    const reading = definePlugin({ name: 'a', apply: ({ env }) => void given.push(env) });
    const env = { DOCKER_HOST: 'unix:///elsewhere.sock' };
    buildKernel({ plugins: [reading], env });
    buildKernel({ plugins: [reading] });
    expect(given[0]).toEqual(env);
    expect(given[1]).toBe(process.env);
  });

  it('goes by the plugin that taps, not by the name it gives to the tap', () => {
    const liar = definePlugin({
      name: 'liar',
      apply: ({ hooks }) => hooks.checkers.tap('disk', (checkers) => checkers.add(passing('disk.space'))),
    });
    expect(errorOf(() => buildKernel({ plugins: [liar] }))).toMatchObject({
      code: 'PLUGIN_INVALID',
      message:
        'Plugin liar: the checker disk.space belongs to the plugin disk; liar may only register liar.*',
    });
  });

  it('names the plugin that throws in apply', () => {
    const broken = definePlugin({
      name: 'broken',
      apply: () => {
        throw new Error('no licence file');
      },
    });
    const error = errorOf(() => buildKernel({ plugins: [broken] }));
    expect(error).toMatchObject({ code: 'PLUGIN_INVALID', message: 'Plugin broken: no licence file' });
    expect(error.details).toMatchObject({ plugin: 'broken' });
  });

  it('names the plugin whose registration throws', () => {
    const broken = definePlugin({
      name: 'broken',
      apply: ({ hooks }) => {
        hooks.checkers.tap('broken', () => {
          throw new TypeError('x is undefined');
        });
      },
    });
    const error = errorOf(() => buildKernel({ plugins: [registering('fine', {}), broken] }));
    expect(error.message).toBe('Plugin broken: x is undefined');
  });

  it('names a plugin whose apply is asynchronous, because nobody would wait for it', () => {
    const late = definePlugin({ name: 'late', apply: (async () => Promise.reject(new Error('x'))) as never });
    expect(errorOf(() => buildKernel({ plugins: [late] })).message).toContain(
      'Plugin late: its apply is asynchronous',
    );
  });

  it('refuses a plugin whose name is none', () => {
    expect(errorOf(() => buildKernel({ plugins: [registering('Bad Name', {})] })).message).toContain(
      'kebab case',
    );
  });

  it('refuses a plugin that is called like another one, or like argus itself', () => {
    const named = (name: string) => definePlugin({ name, apply: () => undefined });
    expect(errorOf(() => buildKernel({ plugins: [named('a'), named('a')] }))).toMatchObject({
      code: 'PLUGIN_INVALID',
      message: 'Plugin a: another plugin has that name already',
    });
    expect(errorOf(() => buildKernel({ plugins: [named('core')] }))).toMatchObject({
      code: 'PLUGIN_INVALID',
      message: 'Plugin core: core is the name of argus itself',
    });
  });

  it('refuses an operation that people would call like another one', () => {
    const hijack = (name: string, alias?: string) =>
      registering('evil', {
        operations: [
          defineOperation({
            name,
            summary: 'x',
            input: z.strictObject({}),
            output: z.unknown(),
            run: async () => 1,
            effects: { readOnly: true, destructive: false, idempotent: true },
            ...(alias === undefined ? {} : { alias }),
          }),
        ],
      });
    expect(errorOf(() => buildKernel({ plugins: [hijack('check')] })).message).toContain(
      'are both called check',
    );
    expect(errorOf(() => buildKernel({ plugins: [hijack('mine', 'check')] })).message).toContain(
      'both called check',
    );
    expect(errorOf(() => buildKernel({ plugins: [hijack('mine', 'schema')] })).message).toContain(
      'both called schema',
    );
    for (const word of ['help', 'completion', 'mcp', 'cancel', 'more']) {
      expect(errorOf(() => buildKernel({ plugins: [hijack(word)] })).message).toContain(
        `cannot be called ${word}`,
      );
    }
  });

  it('refuses a requirement of its own that does not exist', () => {
    const plugin = registering('a', { checkers: [passing('a.one', ['a.two'])] });
    expect(errorOf(() => buildKernel({ plugins: [plugin] })).message).toBe(
      'Plugin a: the checker a.one requires a.two, which it does not have',
    );
  });

  it('refuses a suggested action of its own that does not exist', () => {
    const plugin = registering('a', { codes: [code('A_BROKEN', ['a.fix'])] });
    expect(errorOf(() => buildKernel({ plugins: [plugin] })).message).toContain(
      'the code A_BROKEN suggests a.fix',
    );
  });

  it('refuses checkers that require each other', () => {
    const a = registering('a', { checkers: [passing('a.one', ['b.two'])] });
    const b = registering('b', { checkers: [passing('b.two', ['a.one'])] });
    expect(errorOf(() => buildKernel({ plugins: [a, b] })).message).toContain('a.one → b.two → a.one');
  });

  it('refuses a recoverer that does not say what it handles', () => {
    const recoverer = defineRecoverer({
      name: 'a.fix',
      risk: 'safe' as const,
      plan: () => [],
      apply: async () => undefined,
      handles: undefined as never,
    });
    expect(
      errorOf(() => buildKernel({ plugins: [registering('a', { recoverers: [recoverer] })] })).message,
    ).toContain('does not say which codes it handles');
    const other = defineRecoverer({ ...recoverer, handles: [{} as never] });
    expect(
      errorOf(() => buildKernel({ plugins: [registering('a', { recoverers: [other] })] })).message,
    ).toContain('handles something that is no error code');
  });

  it('lists all defects at once', () => {
    const plugin = registering('a', { checkers: [passing('a.one', ['a.two', 'a.three'])] });
    expect(errorOf(() => buildKernel({ plugins: [plugin] })).details.problems).toHaveLength(2);
  });

  it('leaves out actions and requirements of plugins that are not loaded', async () => {
    const low = code('A_LOW', ['orphans.clean', 'a.fix', 'plan-recovery']);
    const fix = defineRecoverer({
      name: 'a.fix',
      risk: 'safe',
      handles: [low],
      plan: () => [],
      apply: async () => undefined,
    });
    const checker = checking('a.one', ({ fail }) => fail(low, { message: 'low' }), {
      requires: ['docker.daemon'],
    });
    const kernel = buildKernel({
      plugins: [registering('a', { codes: [low], checkers: [checker], recoverers: [fix] })],
    });
    const { checks } = await runChecks(kernel);
    expect(checks[0]).toMatchObject({
      status: 'fail',
      error: { suggestedActions: ['a.fix', 'plan-recovery'] },
    });
  });

  it('is frozen after assembly', () => {
    const kernel = buildKernel();
    expect(() => kernel.hooks.checkers.tap('late', () => undefined)).toThrow(
      'after the kernel was assembled',
    );
    expect(() => kernel.hooks.report.tapPromise('late', async (report) => report)).toThrow(
      'after the kernel',
    );
    expect(Object.isFrozen(kernel)).toBe(true);
  });

  it('keeps a plugin from registering through a registry it has kept', () => {
    let kept: { add(item: never): void } | undefined;
    const sly = definePlugin({
      name: 'sly',
      apply: ({ hooks }) =>
        hooks.checkers.tap('sly', (checkers) => {
          kept = checkers;
        }),
    });
    buildKernel({ plugins: [sly] });
    expect(() => kept?.add(passing('sly.one') as never)).toThrow('after the kernel was assembled');
  });
});
