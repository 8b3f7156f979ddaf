import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Kernel } from '../kernel/kernel.js';
import { defineOperation } from '../model/operation.js';
import { definePlugin, type Plugin } from '../model/plugin.js';
import { brokenThings } from '../recover/fixtures/broken-things.js';
import { buildKernel, checking, registering } from '../testing/build-kernel.js';
import { healthReportSchema, recoveryPlanSchema, recoveryReportSchema } from './report-schemas.js';
import { runOperation } from './run-operation.js';

async function run(kernel: Kernel, name: string, input: unknown = {}, signal?: AbortSignal) {
  const operation = kernel.operations.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  return runOperation(kernel, operation, input, signal);
}

const operation = (name: string, body: () => Promise<unknown>) =>
  defineOperation({
    name,
    summary: 'A test',
    input: z.strictObject({}),
    output: z.unknown(),
    effects: { readOnly: true, destructive: false, idempotent: true },
    run: body,
  });

describe('an operation', () => {
  it('answers with an envelope', async () => {
    const kernel = buildKernel({
      plugins: [registering('a', { operations: [operation('greet', async () => 'hello')] })],
    });
    expect(await run(kernel, 'greet')).toEqual({ ok: true, data: 'hello' });
  });

  it('never throws: whatever happens has a code, and no secret leaves with it', async () => {
    const secret = ['top', 'secret', 'word'].join('-');
    const failing = operation('fail', async () => {
      throw new Error(`refused ${secret}`);
    });
    const kernel = buildKernel({
      plugins: [registering('a', { operations: [failing] })],
      env: { MY_SECRET: secret },
    });
    const envelope = await run(kernel, 'fail');
    expect(envelope).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(envelope)).not.toContain(secret);
  });

  it('refuses input that does not fit, listing everything that is wrong', async () => {
    const envelope = await run(buildKernel(), 'preflight-check', { only: 'disk', colour: 'red' });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
    expect(envelope.ok ? [] : envelope.error.details.problems).toHaveLength(2);
  });
});

describe('what an operation of a plugin gives', () => {
  const giving = async (output: z.ZodType, given: unknown) => {
    const giver = { ...operation('give', async () => given), output };
    return run(buildKernel({ plugins: [registering('a', { operations: [giver] })] }), 'give');
  };

  it('is kept back when it does not fit its schema, and the plugin is named', async () => {
    expect(await giving(z.object({ a: z.number() }), { a: 'no' })).toMatchObject({
      ok: false,
      error: {
        code: 'OUTPUT_INVALID',
        message: expect.stringMatching(/^give of the plugin a gave .*: a: .*number/),
        details: { operation: 'give', plugin: 'a', problems: [expect.stringContaining('a: ')] },
      },
    });
    expect(await giving(z.string(), undefined)).toMatchObject({
      error: { details: { problems: [expect.stringContaining('the answer: ')] } },
    });
    const many = { error: { details: { problems: expect.objectContaining({ length: 5 }) } } };
    expect(await giving(z.array(z.number()), Array(1000).fill('x'))).toMatchObject(many);
  });

  it('is handed on as it is, with what its schema does not name', async () => {
    const list = z.array(z.object({ a: z.number().optional(), b: z.lazy(() => z.string().nullable()) }));
    expect(await giving(list, [{ b: 'x', c: { d: 1 } }])).toEqual({
      ok: true,
      data: [{ b: 'x', c: { d: 1 } }],
    });
  });

  it('is null when it gives nothing', async () => {
    for (const output of [z.void(), z.unknown()])
      expect(await giving(output, undefined)).toEqual({ ok: true, data: null });
    expect(await giving(z.unknown(), [1, undefined])).toEqual({ ok: true, data: [1, null] });
  });

  it.each([
    [z.object({ a: z.string().transform(Number) }), { a: '7', b: 1 }, { a: 7 }],
    [z.object({ a: z.number().default(3) }), {}, { a: 3 }],
    [z.array(z.union([z.number(), z.string().trim()])), [' x '], ['x']],
    [z.record(z.string(), z.coerce.number()), { a: '7' }, { a: 7 }],
    [
      z
        .string()
        .refine(async () => true)
        .pipe(z.string()),
      'x',
      'x',
    ],
  ])('is changed by a schema that is made for that %#', async (output, given, data) => {
    expect(await giving(output, given)).toEqual({ ok: true, data });
  });
});

describe('the operations of core', () => {
  const operations = buildKernel().operations.values();
  const effects = (name: string, input: Record<string, unknown>) => {
    const found = operations.find((one) => one.name === name);
    return { ...found?.effects, ...found?.effectsOf?.(input) };
  };

  it('say when to use them and what to do next, with names that exist', () => {
    for (const { name, guidance = '' } of operations) {
      expect(guidance, name).toMatch(/\.$/);
      for (const [, other = ''] of guidance.matchAll(/\{([^}]*)\}/g)) {
        expect(
          operations.map((one) => one.name),
          name,
        ).toContain(other);
      }
    }
  });

  it('say what exactly this input would do', () => {
    expect(effects('preflight-check', {})).toMatchObject({ readOnly: true });
    expect(effects('preflight-check', { autoFix: true })).toMatchObject({ readOnly: false });
    expect(effects('preflight-check', { autoFix: true, dryRun: true })).toMatchObject({ readOnly: true });
    expect(effects('clean', {})).toMatchObject({ readOnly: false, destructive: true });
    expect(effects('clean', { dryRun: true })).toMatchObject({ readOnly: true, destructive: false });
    expect(effects('fix', { plan: true })).toMatchObject({ readOnly: true, destructive: false });
    expect(effects('run', {})).toMatchObject({ destructive: false });
    expect(effects('run', { command: ['rm'] })).toMatchObject({ destructive: true });
  });

  it('keep to the policy where no person has agreed, whatever the input says', async () => {
    for (const name of ['apply-recovery', 'fix']) {
      const { kernel, world } = brokenThings(['a'], { risk: 'destructive' });
      const plan = await run(kernel, 'plan-recovery');
      const { hash } = (plan.ok ? plan.data : {}) as { hash: string };
      const input = name === 'fix' ? { apply: hash, yes: true } : { hash, confirm: true };
      const operation = kernel.operations.get(name);
      if (!operation) throw new Error(`no operation ${name}`);
      const surface = { unattended: true };
      await runOperation(kernel, operation, input, undefined, surface);
      expect(world.mended, name).toEqual([]);
      await runOperation(kernel, operation, input);
      expect(world.mended, name).toEqual(['a']);
    }
  });
});

describe('preflight-check', () => {
  it('leaves out the disk and the orphans when told, also where nobody looks at them', async () => {
    const disk = registering('disk', { checkers: [checking('disk.space', ({ pass }) => pass('room'))] });
    const { kernel } = brokenThings([], { kernel: { plugins: [disk] } });
    const envelope = await run(kernel, 'preflight-check', { skipDiskCheck: true, skipOrphanCheck: true });
    const { checks } = (envelope.ok ? envelope.data : {}) as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).toEqual(['things.whole', 'things.useful']);
  });

  it('reports, in the shape that its schema says', async () => {
    const { kernel } = brokenThings(['a']);
    const envelope = await run(kernel, 'preflight-check');
    expect(envelope).toMatchObject({ ok: true, data: { overall: 'unhealthy' } });
    expect(healthReportSchema.safeParse(envelope.ok && envelope.data).success).toBe(true);
  });

  it('with autoFix repairs what the policy allows, and reports both', async () => {
    const { kernel, world } = brokenThings(['a']);
    const envelope = await run(kernel, 'preflight-check', { autoFix: true });
    expect(envelope).toMatchObject({
      ok: true,
      data: { overall: 'healthy', recovery: { steps: [{ outcome: 'applied', verdict: 'recovered' }] } },
    });
    expect(world.mended).toEqual(['a']);
    const { recovery } = envelope.ok ? (envelope.data as { recovery: unknown }) : { recovery: undefined };
    expect(recoveryReportSchema.safeParse(recovery).error).toBeUndefined();
  });

  it('with autoFix leaves what is destructive undone where nobody has agreed, whatever the policy allows', async () => {
    const config = { policy: { autonomy: 'full', consecutiveFailures: 1 } };
    const { kernel, world } = brokenThings(['a'], { risk: 'destructive', kernel: { config } });
    const operation = kernel.operations.get('preflight-check');
    if (!operation) throw new Error('no operation preflight-check');
    for (const dryRun of [true, false]) {
      const input = { autoFix: true, dryRun };
      expect(await runOperation(kernel, operation, input, undefined, { unattended: true })).toMatchObject({
        ok: true,
        data: { overall: 'unhealthy', recovery: { steps: [{ refusal: { rule: 'unasked' } }] } },
      });
    }
    expect(world.mended).toEqual([]);
    // Whoever types it has set the autonomy, and is there.
    await runOperation(kernel, operation, { autoFix: true });
    expect(world.mended).toEqual(['a']);
  });

  it('with autoFix in a dry run only says what it would do', async () => {
    const { kernel, world } = brokenThings(['a']);
    expect(await run(kernel, 'preflight-check', { autoFix: true, dryRun: true })).toMatchObject({
      data: { overall: 'unhealthy', recovery: { steps: [{ outcome: 'planned' }] } },
    });
    expect(world.mended).toEqual([]);
  });

  it('takes a filter and a time limit', async () => {
    const { kernel } = brokenThings(['a']);
    const envelope = await run(kernel, 'preflight-check', { only: ['things.whole'], timeout: '2s' });
    expect(envelope).toMatchObject({ data: { checks: [{ name: 'things.whole' }] } });
  });

  it('reports also when nothing can be remembered, and says so', async () => {
    const { kernel } = brokenThings(['a']);
    const store = new Proxy(kernel.store, {
      get: (_, name) => (name === 'notices' ? undefined : () => Promise.reject(new Error('disk gone'))),
    });
    expect(await run({ ...kernel, store }, 'preflight-check')).toMatchObject({
      ok: true,
      data: { overall: 'unhealthy', notices: [{ message: 'disk gone' }] },
    });
  });

  it('can be cancelled', async () => {
    const signal = AbortSignal.abort();
    const { kernel } = brokenThings(['a']);
    expect(await run(kernel, 'preflight-check', {}, signal)).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });
});

describe('plan-recovery and apply-recovery', () => {
  it('carry out the plan that was shown', async () => {
    const { kernel, world } = brokenThings(['a'], { risk: 'destructive' });
    const planned = await run(kernel, 'plan-recovery');
    const plan = recoveryPlanSchema.parse(planned.ok && planned.data);
    expect(plan.steps).toMatchObject([{ target: 'a', risk: 'destructive' }]);

    expect(await run(kernel, 'apply-recovery', { hash: plan.hash })).toMatchObject({
      data: { steps: [{ outcome: 'refused', refusal: { rule: 'autonomy' } }] },
    });
    expect(
      await run(kernel, 'apply-recovery', { hash: plan.hash, confirm: true, dryRun: true }),
    ).toMatchObject({
      data: { dryRun: true, steps: [{ outcome: 'planned' }] },
    });
    expect(world.mended).toEqual([]);
    expect(await run(kernel, 'apply-recovery', { hash: plan.hash, confirm: true })).toMatchObject({
      data: { after: { overall: 'healthy' }, steps: [{ outcome: 'applied', verdict: 'recovered' }] },
    });
    expect(world.mended).toEqual(['a']);
  });
});

describe('reset-circuit', () => {
  const [thing, other] = ['thing', 'other'].map((name) =>
    definePlugin({ name, apply: ({ circuits }) => void circuits.define({ name, isFault: () => true }) }),
  ) as [Plugin, Plugin];
  const openCircuit = async (plugins = [thing]) => {
    const kernel = buildKernel({ plugins });
    const circuit = kernel.circuits.get('thing');
    for (let call = 0; call < 5; call++) {
      await circuit?.execute(() => Promise.reject(new Error('down'))).catch(() => undefined);
    }
    return kernel;
  };

  it('makes an open circuit half-open and tells what had opened it', async () => {
    const kernel = await openCircuit();
    const envelope = await run(kernel, 'reset-circuit', { circuit: 'thing' });
    expect(envelope).toMatchObject({ data: { previous: 'open', current: 'half-open', changed: true } });
    const data = envelope.ok ? (envelope.data as { failureHistory: unknown[] }) : undefined;
    expect(data?.failureHistory).toHaveLength(5);
  });

  it.each<[string, Parameters<typeof openCircuit>[0], object]>([
    ['the one that is open', [other, thing], { data: { circuit: 'thing', current: 'half-open' } }],
    [
      'the only one that there is',
      [thing],
      { data: { circuit: 'thing', current: 'half-open', changed: true } },
    ],
  ])('takes without a name %s', async (_, plugins, expected) => {
    expect(await run(await openCircuit(plugins), 'reset-circuit')).toMatchObject(expected);
  });

  it.each([
    ['one', [thing]],
    ['several', [thing, other]],
    ['none', []],
  ])('names no circuit where none is open and none was asked for: of %s', async (_, plugins) => {
    for (const dryRun of [false, true]) {
      expect(await run(buildKernel({ plugins }), 'reset-circuit', { dryRun })).toMatchObject({
        data: { circuit: null, changed: false, message: 'No circuit is open: nothing to reset' },
      });
    }
  });

  it('in a dry run changes nothing', async () => {
    const kernel = await openCircuit();
    expect(await run(kernel, 'reset-circuit', { circuit: 'thing', dryRun: true })).toMatchObject({
      data: { previous: 'open', current: 'half-open', changed: false },
    });
    expect((await kernel.circuits.get('thing')?.state())?.state).toBe('open');
  });

  it('is a no-op that says so on a closed circuit', async () => {
    const kernel = buildKernel({ plugins: [thing] });
    expect(await run(kernel, 'reset-circuit', { circuit: 'thing' })).toMatchObject({
      data: {
        previous: 'closed',
        current: 'closed',
        changed: false,
        message: expect.stringContaining('nothing'),
      },
    });
    expect(await run(kernel, 'reset-circuit', { circuit: 'thing', dryRun: true })).toMatchObject({
      data: { changed: false, message: expect.stringContaining('nothing') },
    });
  });

  it('offers in place of a name that it does not know only what is open', async () => {
    const askWrong = async (kernel: Awaited<ReturnType<typeof openCircuit>>) =>
      await run(kernel, 'reset-circuit', { circuit: 'web' });
    expect(await askWrong(buildKernel({ plugins: [thing] }))).toMatchObject({
      error: { message: expect.stringContaining('there is thing'), details: { known: [] } },
    });
    expect(await askWrong(await openCircuit())).toMatchObject({ error: { details: { known: ['thing'] } } });
  });

  it('refuses a name that it does not know, with the nearest it does', async () => {
    expect(
      await run(buildKernel({ plugins: [thing] }), 'reset-circuit', { circuit: 'thingy' }),
    ).toMatchObject({
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('did you mean thing?') },
    });
    expect(await run(buildKernel(), 'reset-circuit', { circuit: 'x' })).toMatchObject({
      error: { message: expect.stringContaining('no loaded plugin has one') },
    });
  });
});

describe('schema', () => {
  it('gives the JSON Schema of the configuration', async () => {
    expect(await run(buildKernel(), 'schema')).toMatchObject({
      data: { properties: { resilience: expect.anything(), policy: expect.anything() } },
    });
  });

  it('refuses a section that there is not, with the nearest that there is', async () => {
    const refused = async (section: string) => {
      const envelope = await run(buildKernel(), 'schema', { section });
      return envelope.ok ? undefined : envelope.error.message;
    };
    expect(await refused('servces')).toBe('There is no section servces; did you mean services?');
    expect(await refused('kitchen')).toMatch(/^There is no section kitchen; there are .*services/);
  });
});
