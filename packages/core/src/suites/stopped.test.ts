import { describe, expect, it } from 'vitest';
import type { TakenDown } from '../environment/removal/taken-down.js';
import type { SuiteResult } from './run-report.js';
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

  it('tell a suite that was stopped from one that had ended before', () => {
    const where = (outcome: SuiteResult['outcome']) => {
      const last = { id: 'a', outcome } as SuiteResult;
      return stopped('run', [last], { takenDown: null, removedMeanwhile: false }).message;
    };
    expect(where('interrupted')).toBe('The tests were stopped during a; the environment is still up');
    expect(where('passed')).toBe('The tests were stopped after a; the environment is still up');
    expect(where('failed')).toBe('The tests were stopped after a; the environment is still up');
  });
});
