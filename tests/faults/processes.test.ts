import { describe } from 'vitest';
import { describeScenarios } from './describe-scenarios.js';
import { argusKilledScenarios } from './scenarios/argus-killed.js';
import { healthScenarios } from './scenarios/health.js';
import { leftProcessScenarios } from './scenarios/left-processes.js';
import { portScenarios } from './scenarios/ports.js';
import { stateScenarios } from './scenarios/state.js';

const scenarios = [
  ...portScenarios,
  ...leftProcessScenarios,
  ...argusKilledScenarios,
  ...healthScenarios,
  ...stateScenarios,
];

describe('faults around processes', () => {
  describeScenarios(scenarios, () => ({}));
});
