import { describe, expect, it } from 'vitest';
import { defineErrorCode } from '../../model/error-code.js';
import { definePlugin } from '../../model/plugin.js';
import { diskSpaceLow } from '../../model/start-error-codes.js';
import { buildKernel, checking, registering } from '../../testing/build-kernel.js';
import { passGate } from './gate.js';

const { signal } = new AbortController();
const orphanDetected = defineErrorCode({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Something was left behind',
});

/** Finds an orphan until it was removed. */
function orphans({ removes = true } = {}) {
  let left = 1;
  const prepared: number[] = [];
  const plugin = definePlugin({
    name: 'orphans',
    apply({ hooks }) {
      hooks.errorCodes.tap('orphans', (codes) => codes.add(orphanDetected));
      hooks.checkers.tap('orphans', (checkers) =>
        checkers.add(
          checking('orphans.all', async ({ pass, warn }) =>
            left === 0 ? pass('nothing') : warn(orphanDetected, { message: `${left} left` }),
          ),
        ),
      );
      hooks.prepareEnvironment.tap('orphans', ({ report }) => {
        prepared.push(left);
        if (removes) left = 0;
        report('orphanCleanup', { removed: 1 });
      });
    },
  });
  return { plugin, prepared };
}

const full = registering('disk', {
  checkers: [
    checking('disk.fine', async ({ pass }) => pass('fine')),
    checking('disk.space', async ({ fail }) =>
      fail(diskSpaceLow, { message: 'too little', details: { available: 1, required: 2, path: '/' } }),
    ),
  ],
});

describe('the gate', () => {
  it('lets a healthy environment pass and gives the report', async () => {
    const fine = registering('fine', { checkers: [checking('fine.all', async ({ pass }) => pass('fine'))] });
    const { preflight, parts } = await passGate(buildKernel({ plugins: [fine] }), signal);
    expect(preflight).toMatchObject({ overall: 'healthy' });
    expect(parts.size).toBe(0);
  });

  it('refuses an unhealthy one with the first cause, and all that was found', async () => {
    await expect(passGate(buildKernel({ plugins: [full] }), signal)).rejects.toMatchObject({
      message: 'too little',
      error: {
        code: 'DISK_SPACE_LOW',
        category: 'infrastructure',
        details: {
          available: 1,
          required: 2,
          report: { overall: 'unhealthy', checks: [{ status: 'pass' }, { status: 'fail' }] },
        },
      },
    });
  });

  it('has what was left behind removed, and checks again', async () => {
    const { plugin, prepared } = orphans();
    const { preflight, parts } = await passGate(buildKernel({ plugins: [plugin] }), signal);
    expect(prepared).toEqual([1]);
    expect(parts.get('orphanCleanup')).toEqual({ removed: 1 });
    expect(preflight).toMatchObject({ overall: 'healthy' });
  });

  it('does not look for what was left behind when the checks have found nothing', async () => {
    const { plugin, prepared } = orphans();
    const kernel = buildKernel({ plugins: [plugin] });
    await passGate(kernel, signal);
    await passGate(kernel, signal);
    expect(prepared).toEqual([1]);
  });

  it('lets pass what is only degraded', async () => {
    const { plugin } = orphans({ removes: false });
    const { preflight } = await passGate(buildKernel({ plugins: [plugin] }), signal);
    expect(preflight).toMatchObject({ overall: 'degraded' });
  });

  it('has no report where there is nothing to check', async () => {
    expect(await passGate(buildKernel(), signal)).toEqual({ parts: new Map() });
  });

  it('does not look at the run that the setup will mend', async () => {
    const broken = checking('own.services', async ({ fail }) => fail(orphanDetected, { message: 'ended' }), {
      ofRun: true,
    });
    const fine = checking('own.fine', async ({ pass }) => pass('fine'));
    const own = registering('own', { checkers: [broken, fine], codes: [orphanDetected] });
    const { preflight } = await passGate(buildKernel({ plugins: [own] }), signal);
    expect(preflight?.checks.map(({ name }) => name)).toEqual(['own.fine']);
  });

  it('does not wait for advice', async () => {
    const slow = checking('own.sizes', () => new Promise<never>(() => undefined), { advisory: true });
    const fine = checking('own.fine', async ({ pass }) => pass('fine'));
    const own = registering('own', { checkers: [slow, fine] });
    const { preflight } = await passGate(buildKernel({ plugins: [own] }), signal);
    expect(preflight?.checks.map(({ name }) => name)).toEqual(['own.fine']);
  });

  it('checks nothing when it is turned off, and clears the ground all the same', async () => {
    const { plugin, prepared } = orphans();
    const config = { resilience: { preflight: { enabled: false } } };
    const passage = await passGate(buildKernel({ plugins: [plugin, full], config }), signal);
    expect(passage.preflight).toBeUndefined();
    expect(prepared).toEqual([1]);
  });
});
