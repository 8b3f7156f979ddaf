import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { recordOf } from '../fixtures/service.js';
import { ownIdentity } from '../processes/process-identity.js';
import { createRun } from './runs.js';
import { runsUp } from './runs-up.js';

it('are those of the project that are up and not over', async () => {
  const world = makeWorld();
  const kernel = world.open({});
  const leaseUntil = world.clock.now() + 1;
  const records = [
    recordOf({ id: 'up', leaseUntil }),
    recordOf({ id: 'another project', leaseUntil, project: 'other' }),
    recordOf({ id: 'lease over', leaseUntil: world.clock.now() }),
    recordOf({ id: 'being started', leaseUntil, state: 'starting', owner: await ownIdentity() }),
    recordOf({
      id: 'held by a dead one',
      leaseUntil,
      holders: [{ host: hostname(), pid: 1, startedAt: 'never', id: 'x' }],
    }),
  ];
  for (const record of records) await createRun(world.store, record);
  expect([...(await runsUp(kernel, 'test'))]).toEqual(['up']);
});
