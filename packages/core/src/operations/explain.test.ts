import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { usePlugin } from '../config/plugin-options.js';
import type { Kernel } from '../kernel/kernel.js';
import { defineErrorCode } from '../model/error-code.js';
import { defineRecoverer, type Risk } from '../model/recoverer.js';
import { buildKernel, checking, registering, type TestKernel } from '../testing/build-kernel.js';
import { explain } from './explain.js';
import { explanationSchema } from './explanation-schema.js';
import { runOperation } from './run-operation.js';

const seatsGone = defineErrorCode({
  code: 'SEATS_GONE',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'No seat is left',
  causes: ['Everybody works.'],
  remedy: 'Wait for a seat.',
  suggestedActions: ['licence.release', 'reset-circuit', 'not.loaded'],
  details: () => z.object({ seats: z.number().describe('How many there are'), host: z.string().optional() }),
});

const licence = (risk: Risk = 'disruptive') =>
  registering('licence', {
    codes: [seatsGone],
    checkers: [
      checking('licence.seats', ({ pass }) => pass('enough'), {
        description: 'Free seats',
        codes: [seatsGone],
        requires: ['disk.space'],
      }),
    ],
    recoverers: [
      defineRecoverer({
        name: 'licence.release',
        description: 'Takes back idle seats',
        handles: [seatsGone],
        risk,
        plan: () => [],
        apply: async () => undefined,
      }),
    ],
  });

const kernelWith = (setup: TestKernel = {}) => buildKernel({ plugins: [licence()], ...setup });

const explained = async (kernel: Kernel, name?: string) => {
  const envelope = await runOperation(kernel, explain, name === undefined ? {} : { name });
  if (!envelope.ok) throw new Error(envelope.error.message);
  expect(explanationSchema.safeParse(envelope.data).error).toBeUndefined();
  return envelope.data;
};

describe('explain', () => {
  it('says what a code means, comes from and holds, who finds it and who repairs it', async () => {
    expect(await explained(kernelWith(), 'SEATS_GONE')).toEqual({
      kind: 'code',
      code: 'SEATS_GONE',
      summary: 'No seat is left',
      category: 'infrastructure',
      severity: 'fatal',
      plugin: 'licence',
      causes: ['Everybody works.'],
      remedy: 'Wait for a seat.',
      foundBy: ['licence.seats'],
      autonomy: 'moderate',
      recoverers: [
        {
          name: 'licence.release',
          plugin: 'licence',
          description: 'Takes back idle seats',
          risk: 'disruptive',
          alone: true,
          from: 'moderate',
          afterChecks: 3,
        },
      ],
      suggestedActions: [
        { name: 'licence.release', kind: 'recoverer', summary: 'Takes back idle seats', needs: [] },
        {
          name: 'reset-circuit',
          kind: 'operation',
          summary: 'Let the next call through an open circuit',
          needs: [],
        },
      ],
      details: [
        { name: 'seats', type: 'number', required: true, description: 'How many there are' },
        { name: 'host', type: 'string', required: false },
      ],
    });
  });

  it('says what helps by the reason in the details, where the code does', async () => {
    const given = { remedies: { full: 'Wait for a seat.', gone: 'Start the server.' } };
    const told = defineErrorCode({ ...seatsGone, ...given, suggestedActions: [] });
    const kernel = buildKernel({ plugins: [registering('licence', { codes: [told] })] });
    expect(await explained(kernel, 'SEATS_GONE')).toMatchObject({
      remedy: 'Wait for a seat.',
      remedies: [
        { reason: 'full', remedy: 'Wait for a seat.' },
        { reason: 'gone', remedy: 'Start the server.' },
      ],
    });
  });

  it.each([
    ['safe', 'observe', false, 'cautious'],
    ['safe', 'cautious', true, 'cautious'],
    ['disruptive', 'cautious', false, 'moderate'],
    ['destructive', 'moderate', false, 'full'],
    ['destructive', 'full', true, 'full'],
  ] as const)(
    'says whether argus may do what is %s by itself at autonomy %s',
    async (risk, autonomy, alone, from) => {
      const kernel = buildKernel({ plugins: [licence(risk)], config: { policy: { autonomy } } });
      expect(await explained(kernel, 'licence.release')).toMatchObject({
        kind: 'recoverer',
        risk,
        autonomy,
        alone,
        from,
        codes: [{ code: 'SEATS_GONE' }],
      });
    },
  );

  it('knows codes, checkers, recoverers and operations in whatever case they are written', async () => {
    const kernel = kernelWith();
    expect(await explained(kernel, 'seats_gone')).toMatchObject({ kind: 'code', code: 'SEATS_GONE' });
    expect(await explained(kernel, 'Licence.Seats')).toMatchObject({
      kind: 'checker',
      description: 'Free seats',
      requires: ['disk.space'],
      codes: [{ code: 'SEATS_GONE', summary: 'No seat is left' }],
    });
    expect(await explained(kernel, 'CHECK')).toMatchObject({ kind: 'operation', name: 'preflight-check' });
    expect(await explained(kernel, 'reset-circuit')).toMatchObject({
      codes: [{ code: 'CIRCUIT_OPEN' }, { code: 'SEATS_GONE' }],
    });
  });

  it('names the page of a code of core, and none for the code of a third party', async () => {
    const kernel = kernelWith();
    expect(await explained(kernel, 'PORT_CONFLICT')).toMatchObject({ page: 'errors/PORT_CONFLICT.md' });
    expect(await explained(kernel, 'SEATS_GONE')).not.toHaveProperty('page');
    const builtin = buildKernel({ plugins: [usePlugin(licence(), {}, 'built-in')] });
    expect(await explained(builtin, 'SEATS_GONE')).toMatchObject({ page: 'errors/SEATS_GONE.md' });
  });

  it('leaves out what cannot help with this configuration', async () => {
    const fixed = { resilience: { network: { portConflictStrategy: 'fail' } } };
    const kernel = buildKernel({ config: fixed });
    expect(await explained(kernel, 'PORT_CONFLICT')).toMatchObject({
      suggestedActions: [{ name: 'status' }],
    });
  });

  it('lists every code when no name is given', async () => {
    const kernel = kernelWith();
    const list = await explained(kernel);
    expect(list.kind === 'codes' && list.codes.map(({ code }) => code)).toEqual(kernel.errorCodes.names());
    expect(list).toMatchObject({
      codes: expect.arrayContaining([expect.objectContaining({ plugin: 'licence' })]),
    });
  });

  it.each([
    ['PORT_CONFLIT', 'did you mean PORT_CONFLICT?', 'PORT_CONFLICT'],
    ['licence.seat', 'did you mean licence.seats?', 'licence.seats'],
    ['something-else-entirely', 'explain without a name lists all codes', undefined],
  ])('refuses %s and names the nearest that is known', async (name, hint, suggestion) => {
    const envelope = await runOperation(kernelWith(), explain, { name });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
    expect(envelope.ok ? '' : envelope.error.message).toContain(hint);
    expect(envelope.ok ? '' : envelope.error.details.suggestion).toBe(suggestion);
  });

  it('explains a code whose details cannot be described, without them', async () => {
    const odd = { ...seatsGone, details: () => ({}) as z.ZodType<Record<string, string>> };
    const kernel = buildKernel({ plugins: [registering('odd', { codes: [odd] })] });
    expect(await explained(kernel, 'SEATS_GONE')).toMatchObject({ details: [] });
  });
});
