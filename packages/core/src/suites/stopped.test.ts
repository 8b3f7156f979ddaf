import { describe, expect, it } from 'vitest';
import type { TakenDown } from '../environment/remove-of-run.js';
import { stopped } from './stopped.js';

const failed = [
  {
    resource: { type: 'network', name: 'net' },
    error: { message: 'net: in use', details: { reason: 'in use' } },
  },
];

describe('tests that were stopped', () => {
  it('say so also when none had begun, and what is left', () => {
    const { error } = stopped('run', [], {
      takenDown: { removed: [], failed } as unknown as TakenDown,
      removedMeanwhile: false,
    });
    expect(error).toMatchObject({
      code: 'CANCELLED',
      message:
        'The tests were stopped before the first suite; not everything could be taken down: network net: in use',
      details: { runId: 'run', suites: [], takenDown: { removed: [], failed: ['network net: in use'] } },
    });
  });
});
