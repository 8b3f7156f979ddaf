import { expect, it } from 'vitest';
import * as testing from './index.js';

it('offers the suites, the kernel builder and the clock', () => {
  expect(Object.keys(testing).sort()).toEqual([
    ...['buildKernel', 'checking', 'complaintsOf', 'createSimulatedClock'],
    ...['describeChecker', 'describePlugin', 'describeRecoverer', 'describeStateStore'],
    ...['registering', 'trialsOfChecker', 'trialsOfPlugin', 'trialsOfRecoverer'],
  ]);
});
