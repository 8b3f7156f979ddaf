import { afterAll, beforeAll } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { type PrivateEngine, startPrivateEngine } from '../support/engine.js';
import { makeTestImage } from '../support/test-image.js';
import { describeScenarios } from './describe-scenarios.js';
import { engineFaults } from './faults/break-engine.js';
import { engineScenarios } from './scenarios/engine.js';

describeWithEngine('faults of the engine', () => {
  let engine: PrivateEngine;
  beforeAll(async () => {
    const started = await startPrivateEngine();
    if ('missing' in started) throw new Error(started.missing);
    engine = started;
    await makeTestImage(engine.host);
  });
  afterAll(() => engine?.end());

  describeScenarios(engineScenarios(engineFaults(() => engine)), () => ({ host: engine.host }));
});
