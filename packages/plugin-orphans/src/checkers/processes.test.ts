import { runChecks } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { leaveAll, rig } from '../fixtures/rig.js';
import orphans from '../index.js';

const only = { only: ['orphans.processes'] };

describe('orphans.processes', () => {
  it('finds processes of dead runs, by their id where the name does not tell the run', async () => {
    const world = rig();
    const { process } = leaveAll(world);
    const { checks } = await runChecks(world.kernel, only);
    expect(checks).toMatchObject([
      {
        status: 'warn',
        target: `process:${process}`,
        details: { type: 'process', name: 'worker', runtime: 'process', service: 'worker' },
      },
    ]);
  });

  it('is skipped where no plugin runs processes', async () => {
    const { checks } = await runChecks(buildKernel({ plugins: [orphans] }), only);
    expect(checks).toMatchObject([
      { status: 'skipped', message: 'no loaded plugin brings the runtime process' },
    ]);
  });
});
