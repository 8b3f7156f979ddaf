import { beforeAll } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { describeScenarios } from './describe-scenarios.js';
import { argusKilledWithContainersScenarios } from './scenarios/argus-killed.js';
import { containerCrashScenarios } from './scenarios/container-crashes.js';
import { leftContainerScenarios } from './scenarios/left-containers.js';
import { networkScenarios } from './scenarios/networks.js';

describeWithEngine('faults around containers', ({ host }) => {
  beforeAll(async () => void (await makeTestImage(host)));
  const scenarios = [
    ...leftContainerScenarios,
    ...containerCrashScenarios,
    ...argusKilledWithContainersScenarios,
    ...networkScenarios,
  ];
  describeScenarios(scenarios, () => ({ host }));
});
