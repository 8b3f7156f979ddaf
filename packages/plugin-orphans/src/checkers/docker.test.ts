import { hostname } from 'node:os';
import { isErrorOf, ownIdentity, planRecovery, runChecks } from '@argusai/core';
import { buildKernel, checking, registering } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { orphanDetected } from '../error-codes.js';
import { leave, leaveAll, recordOf, remember, rig } from '../fixtures/rig.js';
import orphans from '../index.js';

const only = { only: ['orphans.docker'] };

describe('orphans.docker', () => {
  it('passes where nothing was left behind', async () => {
    const { kernel } = rig();
    const { checks, overall } = await runChecks(kernel, only);
    expect(overall).toBe('healthy');
    expect(checks).toMatchObject([
      { name: 'orphans.docker', status: 'pass', message: 'nothing left behind' },
    ]);
  });

  it('warns of what a former store of this place made, and takes nothing of it for an orphan', async () => {
    const world = rig({ formerStores: ['before'] });
    const id = leave(world.docker, 'container', recordOf('r1', { store: 'before' }));
    expect((await runChecks(world.kernel, only)).checks).toMatchObject([
      {
        status: 'warn',
        target: 'container:argus-test-r1-container',
        error: {
          code: 'RUN_RECORD_LOST',
          details: { id, runId: 'r1' },
          suggestedActions: ['clean', 'clean-foreign'],
        },
      },
    ]);
    expect((await planRecovery(world.kernel, only)).steps).toEqual([]);
  });

  it('warns of each thing that a dead run left, and says what it is and why it counts as left behind', async () => {
    const world = rig();
    const createdAt = Date.UTC(2026, 0, 1);
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0, createdAt }));
    const { container } = leaveAll(world, run);

    const { checks, overall } = await runChecks(world.kernel, only);

    expect(overall).toBe('degraded');
    expect(checks.map(({ target, status }) => [target, status])).toEqual([
      ['container:argus-test-r1-container', 'warn'],
      ['network:argus-test-r1-network', 'warn'],
      ['volume:argus-test-r1-volume', 'warn'],
    ]);
    const error = checks[0]?.error;
    expect(error).toMatchObject({
      code: 'ORPHAN_DETECTED',
      category: 'infrastructure',
      severity: 'warning',
      suggestedActions: ['orphans.clean'],
    });
    expect(isErrorOf(error, orphanDetected) && error.details).toEqual({
      type: 'container',
      name: 'argus-test-r1-container',
      id: container,
      service: 'api',
      project: 'test',
      runId: 'r1',
      worktree: '/work/shop',
      runtime: 'docker',
      createdAt: '2026-01-01T00:00:00.000Z',
      why: 'its lease ran out',
    });
    expect(checks[0]?.message).toMatch(
      /^the container argus-test-r1-container \(api, run r1 of test in \/work\/shop\) was left behind, .* old: its lease ran out$/,
    );
  });

  it('finds what has no record, and what died while it was started or stopped', async () => {
    const world = rig();
    // No process has such a start, so whatever has this number is another.
    const owner = { host: hostname(), pid: process.pid, startedAt: 'another time' };
    const starting = await remember(world.store, recordOf('r1', { state: 'starting', owner }));
    const stopping = await remember(world.store, recordOf('r2', { state: 'stopping', owner }));
    for (const run of [starting, stopping, recordOf('r3')]) leave(world.docker, 'container', run);
    const { checks } = await runChecks(world.kernel, only);
    expect(checks.map(({ details }) => details.why)).toEqual([
      'its run died while starting',
      'its run died while stopping',
      'there is no record of its run',
    ]);
  });

  it('leaves alone what live runs have: in this folder, in another, and while they start', async () => {
    const world = rig();
    const owner = await ownIdentity();
    const runs = [
      recordOf('r1', { worktree: world.kernel.project.dir }),
      recordOf('r2', { worktree: '/work/other' }),
      recordOf('r3', { state: 'starting', owner, leaseUntil: 0 }),
      recordOf('r4', { state: 'stopping', owner, leaseUntil: 0 }),
      recordOf('r5', { state: 'starting', owner: { ...owner, host: 'another machine' } }),
    ];
    for (const run of runs) leave(world.docker, 'container', await remember(world.store, run));
    const { checks } = await runChecks(world.kernel, only);
    expect(checks).toMatchObject([{ status: 'pass', message: 'nothing left behind' }]);
  });

  it('does not see other projects and unlabelled things', async () => {
    const world = rig();
    leave(world.docker, 'container', recordOf('r1', { project: 'bank' }));
    world.docker.things.set('x', { type: 'container', id: 'x', name: 'x', labels: {} });
    const { checks } = await runChecks(world.kernel, only);
    expect(checks).toMatchObject([{ status: 'pass', message: 'nothing left behind' }]);
  });

  it('shows what another store made, and finds nothing wrong with it', async () => {
    const world = rig();
    const theirs = recordOf('r9', { store: 'theirs', createdAt: Date.UTC(2020, 0, 1) });
    for (const type of ['container', 'network', 'volume'] as const) leave(world.docker, type, theirs);
    leave(world.docker, 'container', { ...theirs, createdAt: Date.now() }, { name: 'argus-test-r9-young' });

    const { checks, overall } = await runChecks(world.kernel, only);

    expect(overall).toBe('healthy');
    expect(checks).toMatchObject([
      { status: 'pass', message: 'nothing left behind' },
      {
        status: 'pass',
        target: 'foreign',
        message:
          'made by another store and left alone: container:argus-test-r9-container, ' +
          'network:argus-test-r9-network, volume:argus-test-r9-volume and 1 more',
      },
    ]);
    const listed = checks[1]?.details.foreign as { store: string; old: boolean }[];
    expect(listed.map(({ store, old }) => [store, old])).toEqual([
      ...Array.from({ length: 3 }, () => ['theirs', true]),
      ['theirs', false],
    ]);
  });

  it('does not know when the runtime cannot be asked, and says why', async () => {
    const world = rig();
    world.docker.mood = 'down';
    const { checks } = await runChecks(world.kernel, only);
    expect(checks).toMatchObject([
      { status: 'unknown', message: 'cannot look for what was left behind: docker is down' },
    ]);
  });

  it('is skipped when the daemon does not answer', async () => {
    const daemon = checking('docker.daemon', ({ unknown }) => unknown('no answer'));
    const kernel = buildKernel({ plugins: [registering('docker', { checkers: [daemon] }), orphans] });
    const { checks } = await runChecks(kernel, { only: ['docker.daemon', 'orphans.docker'] });
    expect(checks[1]).toMatchObject({ name: 'orphans.docker', status: 'skipped', causedBy: 'docker.daemon' });
  });
});
