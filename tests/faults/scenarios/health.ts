import { expect } from 'vitest';
import { neverWell } from '../faults/spoil-health.js';
import { server } from '../projects/server.js';
import type { Scenario } from '../scenario.js';

// Long enough for a process to begin on a busy machine: it is to be unwell, not late.
const impatient = { http: '/health', interval: '50ms', timeout: '2s', retries: 40, startPeriod: '2s' };

/** A service does not become well. */
export const healthScenarios: readonly Scenario[] = [
  {
    name: 'a service never becomes healthy',
    config: (world) => ({
      services: {
        // It has no sign to go by.
        db: server(world, 0, { environment: { SIGNS: world.state } }),
        web: server(world, 1, { healthcheck: impatient, dependsOn: ['db'] }),
      },
    }),
    fault: neverWell,
    commands: [['setup']],
    detected: {
      code: 'HEALTH_CHECK_TIMEOUT',
      category: 'container',
      severity: 'recoverable',
      details: () => ({
        service: 'web',
        check: expect.stringContaining('/health'),
        tries: expect.any(Number),
        outputs: expect.arrayContaining([expect.stringContaining('503')]),
        lines: expect.arrayContaining([expect.stringContaining('begins with process')]),
        rollback: { removed: ['process web', 'process db'], left: [], failed: [] },
      }),
    },
    recoverable: false,
    async verify(world) {
      expect(await world.processes()).toEqual([]);
    },
    without: { pointless: 'nothing could be seen beforehand' },
    agent: { goals: [['setup']] },
  },
];
