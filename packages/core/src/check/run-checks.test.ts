import { stat } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rememberGlobals } from '../config/intact-globals.js';
import { usePlugin } from '../config/plugin-options.js';
import type { CheckStatus } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { defineErrorCode } from '../model/error-code.js';
import type { Json } from '../model/json.js';
import { definePlugin, type LoadedPlugin } from '../model/plugin.js';
import { healthReportSchema } from '../operations/report-schemas.js';
import { buildKernel, checking, registering } from '../testing/build-kernel.js';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { systemClock } from '../time/clock.js';
import { runChecks } from './run-checks.js';

const broken = defineErrorCode({
  code: 'BROKEN',
  category: 'system',
  severity: 'recoverable',
  summary: 'Broken',
});
const passing = (name: string, requires: string[] = []) =>
  checking(name, ({ pass }) => pass('fine'), { requires });
const failing = (name: string, requires: string[] = []) =>
  checking(name, ({ fail }) => fail(broken, { message: 'broken' }), { requires });

/** Breaks whatever is asked of it. */
const hostile: ProxyHandler<never[]> = {
  get: () => {
    throw new Error('no looking');
  },
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

const oddError = (message: unknown) => Object.assign(new Error('x'), { message });

function kernelOf(...checkers: Checker[]) {
  const clock = createSimulatedClock();
  const kernel = buildKernel({ clock, plugins: [registering('a', { codes: [broken], checkers })] });
  return { kernel, clock };
}

/** One changes what everybody uses, though it has no check; another only listens. */
const rash = definePlugin({
  name: 'rash',
  apply: ({ hooks }) =>
    hooks.beforeCheck.tap('rash', () => void Object.assign(Object.prototype, { spoilt: true })),
});
const tapping = definePlugin({
  name: 'tapping',
  apply: ({ hooks }) => hooks.afterCheck.tap('tapping', () => undefined),
});
const own = registering('own', { checkers: [passing('own.well')] });

async function statusesOf(...checkers: Checker[]) {
  const { checks } = await runChecks(kernelOf(...checkers).kernel);
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
}

describe('runChecks', () => {
  it.each<[string, LoadedPlugin[]]>([
    [
      'Plugin rash or tapping: changes',
      [usePlugin(rash), usePlugin(tapping), usePlugin(own, {}, 'built-in')],
    ],
    ['A plugin: changes', [usePlugin(rash, {}, 'built-in'), usePlugin(own, {}, 'built-in')]],
  ])(
    'says who may have changed what everybody uses where no check of theirs ran: %s',
    async (who, plugins) => {
      rememberGlobals();
      const { notices } = await runChecks(buildKernel({ plugins }));
      expect(notices).toMatchObject([
        { code: 'PLUGIN_INVALID', message: expect.stringContaining(`${who} Object.prototype.spoilt`) },
      ]);
    },
  );

  it('reports each check with its plugin, status, message and duration, in the order of registration', async () => {
    const { kernel, clock } = kernelOf(
      checking('a.slow', async ({ pass, clock }) => {
        await new Promise<void>((resolve) => clock.after(40, resolve));
        return pass('took its time', { details: { answer: 42 } });
      }),
      failing('a.quick'),
    );
    const running = runChecks(kernel);
    await clock.advance(40);
    const report = await running;
    expect(report).toMatchObject({ project: 'test', overall: 'unhealthy', duration: 40, notices: [] });
    expect(report.checks).toMatchObject([
      { name: 'a.slow', plugin: 'a', status: 'pass', details: { answer: 42 }, duration: 40 },
      {
        name: 'a.quick',
        plugin: 'a',
        status: 'fail',
        message: 'broken',
        error: { code: 'BROKEN' },
        duration: 0,
      },
    ]);
  });

  it('takes several results from one checker', async () => {
    const { kernel } = kernelOf(
      checking('a.many', ({ pass, warn }) => [
        pass('fine', { target: '/' }),
        warn(broken, { message: 'full', target: '/tmp' }),
      ]),
    );
    const { overall, checks } = await runChecks(kernel);
    expect(overall).toBe('degraded');
    expect(checks.map(({ target, status }) => [target, status])).toEqual([
      ['/', 'pass'],
      ['/tmp', 'warn'],
    ]);
  });

  it('folds a problem under the one that another check has found to be its cause', async () => {
    const cause = checking('a.left', ({ warn }) => [
      warn(broken, { message: 'left behind', target: 'process:1' }),
    ]);
    const consequence = checking(
      'a.ports',
      ({ fail }) => [
        fail(broken, { message: 'taken', target: '80', causedBy: { check: 'a.left', target: 'process:1' } }),
        fail(broken, { message: 'taken', target: '81', causedBy: { check: 'a.left', target: 'process:2' } }),
      ],
      { follows: ['a.left', 'other.unheard-of'] },
    );
    const { kernel } = kernelOf(consequence, cause);
    const { checks } = await runChecks(kernel);
    expect(checks).toMatchObject([
      { name: 'a.ports', target: '80', status: 'skipped', causedBy: 'a.left', causedByTarget: 'process:1' },
      { name: 'a.ports', target: '81', status: 'fail' },
      { name: 'a.left', status: 'warn' },
    ]);
    expect(checks[0]).not.toHaveProperty('error');
    // Where nobody reports the cause, it is a problem of its own.
    const alone = await runChecks(kernel, { only: ['a.ports'] });
    expect(alone.checks.map(({ status }) => status)).toEqual(['fail', 'fail']);
  });

  it('runs checks at the same time', async () => {
    let running = 0;
    let most = 0;
    const busy = (name: string) =>
      checking(name, async ({ pass }) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return pass('done');
      });
    await statusesOf(busy('a.one'), busy('a.two'), busy('a.three'));
    expect(most).toBe(3);
  });

  describe('a check that misbehaves costs its own result and nothing else', () => {
    const misbehaving: [string, Checker['check']][] = [
      [
        'throws at once',
        () => {
          throw new Error('oops');
        },
      ],
      ['rejects', async () => Promise.reject(new Error('oops'))],
      ['throws nothing at all', async () => Promise.reject(undefined)],
      ['returns nothing', (() => undefined) as never],
      ['returns a number', (() => 42) as never],
      ['returns a status that does not exist', (() => ({ status: 'great', message: '' })) as never],
      ['returns no message', (() => ({ status: 'pass' })) as never],
      ['fails without an error', (() => ({ status: 'fail', message: 'x' })) as never],
      ['returns details that are no object', (() => ({ status: 'pass', message: 'x', details: 7 })) as never],
      [
        'returns an error that lacks most of what it needs',
        (() => ({
          status: 'fail',
          message: 'x',
          error: { code: 'BROKEN', suggestedActions: [] },
        })) as never,
      ],
      [
        'raises a code that nobody declares',
        ({ fail }) => fail({ ...broken, code: 'UNHEARD_OF' }, { message: 'x' }),
      ],
      [
        'returns details that are something else as JSON',
        (() => ({ status: 'pass', message: 'x', details: new Date(0) })) as never,
      ],
      ['returns a list with nothing but a hole', () => new Array(1)],
      ['returns a list without end', () => new Array(2 ** 32 - 1)],
      ['returns a list that breaks when it is looked at', () => new Proxy([], hostile)],
      ['returns a list that cannot be told from another thing', () => revoked() as never],
      ['returns a list of a length that is none', () => new Proxy([], { get: () => -1 })],
      ['returns a promise in a list', ({ pass }) => [Promise.resolve(pass('late')) as never]],
      ['throws an error whose message is none', () => Promise.reject(oddError(Symbol('odd')))],
      ['passes with an error', (() => ({ status: 'pass', message: 'x', error: 'no' })) as never],
      [
        'returns something that breaks when it is looked at',
        (() => ({
          get status() {
            throw new Error('no looking');
          },
        })) as never,
      ],
      [
        'throws something that breaks when it is looked at',
        async () => {
          throw new Proxy(new Error('x'), {
            getPrototypeOf: () => {
              throw new Error('no');
            },
            get: () => {
              throw new Error('no');
            },
          });
        },
      ],
      ['never answers', () => new Promise<never>(() => undefined)],
      [
        'answers long after its time',
        ({ clock, pass }) => new Promise((resolve) => clock.after(60_000, () => resolve(pass('late')))),
      ],
    ];

    it.each(misbehaving)('when it %s', async (_, check) => {
      const { kernel, clock } = kernelOf(checking('a.bad', check), passing('a.good'));
      const running = runChecks(kernel);
      await clock.advance(5_000);
      const report = await running;
      expect(report.overall).toBe('degraded');
      expect(report.checks[0]).toMatchObject({ status: 'unknown', error: { code: 'CHECK_BROKEN' } });
      expect(report.checks[1]).toMatchObject({ status: 'pass' });
      await clock.advance(60_000);
      expect(report.checks[0]?.status).toBe('unknown');
    });

    it('when one of its outcomes is rubbish', async () => {
      const { kernel } = kernelOf(checking('a.bad', ({ pass }) => [pass('fine'), 'rubbish' as never]));
      const { checks } = await runChecks(kernel);
      expect(checks.map(({ status }) => status)).toEqual(['pass', 'unknown']);
    });

    it('when its list has holes', async () => {
      const { kernel } = kernelOf(
        checking('a.bad', ({ pass }) => {
          const list = [];
          list[1] = pass('second', { target: 'b' });
          return list as never;
        }),
        passing('a.good'),
      );
      const { checks } = await runChecks(kernel);
      expect(checks).toMatchObject([
        { name: 'a.bad', status: 'unknown', error: { code: 'CHECK_BROKEN', details: { reason: 'rubbish' } } },
        { name: 'a.bad', target: 'b', status: 'pass' },
        { name: 'a.good', status: 'pass' },
      ]);
    });

    it.each<[string, Partial<Record<keyof unknown[], unknown>>]>([
      ['throws', { map: () => Promise.reject(new Error('no')) }],
      ['is none', { map: 5 }],
      ['gives something else', { map: () => 5, [Symbol.iterator]: 5 }],
    ])('and its list is read all the same when a method of it %s', async (_, own) => {
      const { kernel } = kernelOf(
        checking('a.odd', ({ pass, fail }) =>
          Object.assign(
            [pass('fine', { target: 'a' }), fail(broken, { message: 'x', target: 'b' })],
            own as object,
          ),
        ),
      );
      const { checks } = await runChecks(kernel);
      expect(checks.map(({ status }) => status)).toEqual(['pass', 'fail']);
    });

    it.each<[string, unknown]>([
      ['breaks when it is looked at', new Proxy([], hostile)],
      ['is a number', 5],
      ['lacks its target', { check: 'a.good' }],
    ])('when the cause that it names %s', async (_, causedBy) => {
      const { kernel } = kernelOf(
        checking('a.bad', ({ fail }) => [{ ...fail(broken, { message: 'x' }), causedBy } as never], {
          follows: ['a.good'],
        }),
        passing('a.good'),
      );
      const { checks } = await runChecks(kernel);
      expect(checks.map(({ status }) => status)).toEqual(['fail', 'pass']);
    });

    it('when what it returned says something else each time it is asked', async () => {
      let times = 0;
      const fickle = {
        status: 'pass',
        get message() {
          return times++ === 0 ? 'x' : Symbol('y');
        },
      };
      const { kernel } = kernelOf(checking('a.bad', (() => fickle) as never));
      expect((await runChecks(kernel)).checks).toMatchObject([{ status: 'pass', message: 'x' }]);
    });

    it('whatever it returns', async () => {
      const anything = fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withNullPrototype: true,
        withTypedArray: true,
      });
      // Mostly right, so that what comes after the first look is reached too.
      const nearly = fc.record(
        {
          status: fc.constantFrom('pass', 'warn', 'fail', 'unknown', 'skipped'),
          message: fc.oneof(fc.string(), anything),
          target: fc.oneof(fc.string(), anything),
          details: anything,
          causedBy: fc.oneof(anything, fc.record({ check: anything, target: anything })),
          error: fc.oneof(
            anything,
            anything.map((odd) => ({
              ...broken,
              message: 'x',
              details: {},
              timestamp: 0,
              ...(odd as object),
            })),
          ),
        },
        { requiredKeys: ['status'] },
      );
      const item = fc.oneof(anything, nearly);
      await fc.assert(
        fc.asyncProperty(fc.oneof(item, fc.array(item)), async (returned) => {
          const { kernel } = kernelOf(
            checking('a.bad', (() => returned) as never, { follows: ['a.good'] }),
            passing('a.good'),
          );
          const report = await runChecks(kernel);
          expect(report.checks.filter(({ name }) => name === 'a.good')).toMatchObject([{ status: 'pass' }]);
          expect(report.checks.filter(({ name }) => name === 'a.bad').length).toBeGreaterThan(0);
          expect(healthReportSchema.safeParse(report).error).toBeUndefined();
        }),
        { numRuns: 200 },
      );
    });

    it('when its details cannot be serialised', async () => {
      const cycle: Record<string, Json> = { a: 1 };
      cycle.self = cycle;
      const { kernel } = kernelOf(checking('a.bad', ({ pass }) => pass('fine', { details: cycle })));
      const { checks } = await runChecks(kernel);
      expect(checks[0]?.details).toEqual({ a: 1, self: '[circular]' });
    });
  });

  it('takes a null for no error at all', async () => {
    const { kernel } = kernelOf(
      checking('a.one', (() => ({ status: 'pass', message: 'fine', error: null })) as never),
    );
    expect((await runChecks(kernel)).checks[0]).not.toHaveProperty('error');
  });

  it('gives a code also to what a checker could not tell', async () => {
    const { kernel } = kernelOf(checking('a.one', ({ unknown }) => unknown('no permission')));
    expect((await runChecks(kernel)).checks[0]).toMatchObject({
      status: 'unknown',
      message: 'no permission',
      error: { code: 'CHECK_BROKEN', details: { reason: 'could-not-look' } },
    });
  });

  it('says of what was cancelled that it was cancelled', async () => {
    const controller = new AbortController();
    const { kernel } = kernelOf(checking('a.never', () => new Promise<never>(() => undefined)));
    const messages: string[] = [];
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'preflight_check') messages.push(data.message);
    });
    const running = runChecks(kernel, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(messages).toEqual(['The check was cancelled']);
  });

  it('calls it skipped when there is nothing to look at', async () => {
    expect(await statusesOf(checking('a.none', () => []))).toEqual({ 'a.none': 'skipped' });
  });

  it('aborts the signal of a check whose time is up', async () => {
    let aborted: unknown;
    const { kernel, clock } = kernelOf(
      checking(
        'a.slow',
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              aborted = signal.reason;
              reject(signal.reason);
            });
          }),
        { timeoutMs: 100 },
      ),
    );
    const running = runChecks(kernel);
    await clock.advance(99);
    expect(aborted).toBeUndefined();
    await clock.advance(1);
    expect((await running).checks[0]).toMatchObject({
      status: 'unknown',
      message: 'The check gave no answer within 100 ms',
      error: { details: { checker: 'a.slow', reason: 'timeout' } },
    });
    expect(String(aborted)).toContain('timeout');
  });

  it('gives a signal that is aborted already to a checker that asks too late', async () => {
    let late: AbortSignal | undefined;
    const { kernel, clock } = kernelOf(
      checking(
        'a.late',
        async (context) => {
          await new Promise<void>((resolve) => clock.after(200, resolve));
          late = context.signal;
          return context.pass('late');
        },
        { timeoutMs: 100 },
      ),
    );
    const running = runChecks(kernel);
    await clock.advance(300);
    await running;
    expect(late?.aborted).toBe(true);
  });

  it('blames whoever holds the process up, and nobody else', async () => {
    const blocking = checking(
      'a.blocking',
      ({ pass }) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
        return pass('late');
      },
      { timeoutMs: 400 },
    );
    const patient = (name: string) =>
      checking(
        name,
        async ({ pass }) => {
          await stat('.');
          await stat('..');
          return pass('looked');
        },
        { timeoutMs: 400 },
      );
    const plugins = [registering('a', { checkers: [patient('a.before'), blocking, patient('a.after')] })];
    const { checks } = await runChecks(buildKernel({ clock: systemClock, plugins }), { deadlineMs: 800 });
    expect(checks.map(({ name, message }) => [name, message])).toEqual([
      ['a.before', 'looked'],
      ['a.blocking', 'The check gave no answer within 400 ms'],
      ['a.after', 'looked'],
    ]);
  });

  it('ends all checks at the one deadline, also those that have not begun', async () => {
    const never = checking('a.never', () => new Promise<never>(() => undefined), { timeoutMs: 60_000 });
    const { kernel, clock } = kernelOf(never, passing('a.after', ['a.never']), passing('a.other'));
    const running = runChecks(kernel, { deadlineMs: 1_000 });
    await clock.advance(1_000);
    const { checks, overall, duration } = await running;
    expect(checks.map(({ status }) => status)).toEqual(['unknown', 'skipped', 'pass']);
    expect(checks[0]?.error?.details).toEqual({ checker: 'a.never', reason: 'deadline' });
    expect(checks[1]?.causedBy).toBe('a.never');
    expect({ overall, duration }).toEqual({ overall: 'degraded', duration: 1_000 });
  });

  it('takes ten seconds at most unless someone says otherwise', async () => {
    const never = checking('a.never', () => new Promise<never>(() => undefined), { timeoutMs: 60_000 });
    const { kernel, clock } = kernelOf(never);
    const running = runChecks(kernel);
    await clock.advance(10_000);
    expect((await running).duration).toBe(10_000);
  });

  it('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    let told = false;
    const { kernel } = kernelOf(
      checking('a.never', ({ signal }) => {
        signal.addEventListener('abort', () => {
          told = true;
        });
        return new Promise<never>(() => undefined);
      }),
    );
    const running = runChecks(kernel, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(told).toBe(true);
    await expect(runChecks(kernel, { signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  describe('with requirements', () => {
    it('skips what a failure makes pointless, all the way down, and names the first cause', async () => {
      const { kernel } = kernelOf(
        passing('a.grandchild', ['a.child']),
        passing('a.child', ['a.daemon']),
        failing('a.daemon'),
        passing('a.other'),
      );
      const { checks } = await runChecks(kernel);
      expect(checks.map(({ name, status, causedBy }) => [name, status, causedBy])).toEqual([
        ['a.grandchild', 'skipped', 'a.daemon'],
        ['a.child', 'skipped', 'a.daemon'],
        ['a.daemon', 'fail', undefined],
        ['a.other', 'pass', undefined],
      ]);
    });

    it('gives the reason of the first that was skipped, because there is no fault to be found', async () => {
      const { kernel } = kernelOf(
        passing('a.grandchild', ['a.child']),
        passing('a.child', ['a.daemon']),
        checking('a.daemon', ({ skip }) => skip('nobody needs it')),
        passing('a.second', ['a.broken']),
        failing('a.broken'),
      );
      const { checks } = await runChecks(kernel);
      expect(checks.map(({ message }) => message).slice(0, 4)).toEqual([
        ...['nobody needs it', 'nobody needs it', 'nobody needs it', 'Not looked at: it needs a.broken'],
      ]);
    });

    it.each<[CheckStatus, string]>([
      ['pass', 'pass'],
      ['warn', 'pass'],
      ['fail', 'skipped'],
      ['unknown', 'skipped'],
      ['skipped', 'skipped'],
    ])('what requires a check that came to %s is %s', async (status, expected) => {
      const requirement = checking('a.first', (context) => {
        if (status === 'warn' || status === 'fail') return context[status](broken, { message: 'x' });
        return status === 'pass' ? context.pass('x') : { status, message: 'x' };
      });
      expect(await statusesOf(requirement, passing('a.second', ['a.first']))).toMatchObject({
        'a.second': expected,
      });
    });

    it('runs a checker once however many require it', async () => {
      let times = 0;
      const counted = checking('a.counted', ({ pass }) => pass(`${++times}`));
      await statusesOf(passing('a.x', ['a.counted']), passing('a.y', ['a.counted']), counted);
      expect(times).toBe(1);
    });

    it('gives every checker of any requirement graph exactly one result', async () => {
      const graph = fc.array(
        fc.record({ fails: fc.boolean(), needs: fc.array(fc.nat(20), { maxLength: 4 }) }),
        {
          minLength: 1,
          maxLength: 20,
        },
      );
      await fc.assert(
        fc.asyncProperty(graph, async (nodes) => {
          const names = nodes.map((_, index) => `a.n${index}`);
          // A node may only need earlier ones, so there is no cycle.
          const checkers = nodes.map(({ fails, needs }, index) => {
            const requires = needs.filter((need) => need < index).map((need) => `a.n${need}`);
            return (fails ? failing : passing)(`a.n${index}`, requires);
          });
          const { checks } = await runChecks(kernelOf(...checkers).kernel);
          expect(checks.map(({ name }) => name)).toEqual(names);
          const status = new Map(checks.map((check) => [check.name, check.status]));
          checkers.forEach(({ name, requires = [] }, index) => {
            const held = requires.some((required) => !['pass', 'warn'].includes(status.get(required) ?? ''));
            const own = nodes[index]?.fails ? 'fail' : 'pass';
            expect(status.get(name)).toBe(held ? 'skipped' : own);
          });
        }),
        { numRuns: 50 },
      );
    });
  });

  describe('with a filter', () => {
    const plugins = [
      registering('a', { checkers: [passing('a.one'), passing('a.two', ['a.one'])] }),
      registering('b', { checkers: [passing('b.one')] }),
    ];
    const namesWith = async (filter: { only?: string[]; skip?: string[] }) =>
      (await runChecks(buildKernel({ plugins }), filter)).checks.map(({ name }) => name);

    it('runs only what is named, by checker or by plugin, with what that requires', async () => {
      expect(await namesWith({ only: ['b'] })).toEqual(['b.one']);
      expect(await namesWith({ only: ['a.one'] })).toEqual(['a.one']);
      expect(await namesWith({ only: ['a.two'] })).toEqual(['a.one', 'a.two']);
    });

    it('leaves out what is named; what requires it runs without', async () => {
      expect(await namesWith({ skip: ['a.one'] })).toEqual(['a.two', 'b.one']);
      expect(await namesWith({ skip: ['a'] })).toEqual(['b.one']);
    });

    it('refuses a name that it does not know, with the nearest it does', async () => {
      await expect(namesWith({ only: ['a.oen'] })).rejects.toMatchObject({
        code: 'USAGE_INVALID',
        message: 'There is no checker or plugin called a.oen; did you mean a.one?',
      });
      await expect(namesWith({ skip: ['zzzzzz'] })).rejects.toThrow('there are a, a.one, a.two, b, b.one');
    });

    it('does not call nothing at all healthy', async () => {
      await expect(namesWith({ skip: ['a', 'b'] })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    });
  });

  describe('observed', () => {
    it('tells of the start, of every result as it comes, and of the end', async () => {
      const { kernel } = kernelOf(passing('a.one'), failing('a.two'));
      const seen: string[] = [];
      kernel.events.subscribe(({ type, data }) =>
        seen.push(`${type} ${'name' in data ? data.name : ''}`.trim()),
      );
      await runChecks(kernel);
      expect(seen).toEqual([
        'preflight_start',
        'preflight_check a.one',
        'preflight_check a.two',
        'preflight_end',
      ]);
    });

    it('knows a loaded plugin also when it has registered no checker', async () => {
      const kernel = buildKernel({
        plugins: [registering('a', { checkers: [passing('a.one')] }), registering('bare', {})],
      });
      expect((await runChecks(kernel, { skip: ['bare'] })).checks).toHaveLength(1);
      expect((await runChecks(kernel, { only: ['a', 'bare'] })).checks).toHaveLength(1);
      await expect(runChecks(kernel, { only: ['bare'] })).rejects.toThrow(
        'There is nothing to check: the plugin bare is loaded, but has no checker here',
      );
      await expect(runChecks(kernel, { skip: ['core'] })).rejects.toThrow('no checker or plugin called core');
    });

    it('lets hooks see checks and add to the report, and survives those that break', async () => {
      const seen: string[] = [];
      const observer = definePlugin({
        name: 'observer',
        apply({ hooks }) {
          hooks.beforeCheck.tap('observer', ({ name }) => void seen.push(`before ${name}`));
          hooks.afterCheck.tap('observer', (result) => {
            seen.push(`after ${result.name}`);
            result.status = 'pass';
            throw new Error('observer broke');
          });
          hooks.report.tap('observer', (report) => ({ ...report, additions: { seen: seen.length } }));
        },
      });
      const kernel = buildKernel({
        plugins: [registering('a', { codes: [broken], checkers: [failing('a.one')] }), observer],
      });
      const report = await runChecks(kernel);
      expect(seen).toEqual(['before a.one', 'after a.one']);
      expect(report).toMatchObject({ overall: 'unhealthy', additions: { seen: 2 } });
      expect(report.notices).toMatchObject([
        {
          code: 'INTERNAL_ERROR',
          message: 'The hook afterCheck of the plugin observer broke: observer broke',
        },
      ]);
    });

    it('does not wait for an observer beyond the deadline', async () => {
      const clock = createSimulatedClock();
      const observer = definePlugin({
        name: 'observer',
        apply: ({ hooks }) =>
          hooks.beforeCheck.tapPromise('observer', () => new Promise<void>(() => undefined)),
      });
      const kernel = buildKernel({
        clock,
        plugins: [registering('a', { checkers: [passing('a.one'), passing('a.two')] }), observer],
      });
      const running = runChecks(kernel, { deadlineMs: 500 });
      await clock.advance(500);
      const { checks, notices } = await running;
      expect(checks.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
      const message = 'The hook beforeCheck of the plugin observer had not come to an end when time was up';
      expect(notices).toMatchObject([{ message }]);
    });

    it('keeps the report when a plugin breaks while adding to it', async () => {
      const spoiler = definePlugin({
        name: 'spoiler',
        apply: ({ hooks }) =>
          hooks.report.tap('spoiler', () => {
            throw new Error('spoiled');
          }),
      });
      const kernel = buildKernel({ plugins: [registering('a', { checkers: [passing('a.one')] }), spoiler] });
      expect(await runChecks(kernel)).toMatchObject({
        overall: 'healthy',
        notices: [{ message: 'The hook report of the plugin spoiler broke: spoiled' }],
      });
    });
  });

  it('lets no secret out', async () => {
    const secret = ['hunter2', 'hunter2'].join('-');
    const leak = checking('a.leak', ({ fail }) =>
      fail(broken, { message: `login with ${secret} failed`, details: { url: `http://me:${secret}@db/` } }),
    );
    const kernel = buildKernel({
      plugins: [registering('a', { codes: [broken], checkers: [leak] })],
      env: { DB_PASSWORD: secret },
    });
    const events: unknown[] = [];
    kernel.events.subscribe((event) => events.push(event));
    expect(JSON.stringify([await runChecks(kernel), events])).not.toContain(secret);
  });
});
