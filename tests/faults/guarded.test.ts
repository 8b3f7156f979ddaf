import { describe } from 'vitest';
import { describeScenarios } from './describe-scenarios.js';
import { crashScenarios } from './scenarios/crashes.js';

describe('faults while tests run', () => {
  describeScenarios(crashScenarios, () => ({}));
});
