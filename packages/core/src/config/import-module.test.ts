import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { projectFolder } from './fixtures/project-folder.js';
import { importModule } from './import-module.js';

it.each(['mjs', 'mts'])('gives up a file that never ends loading: .%s', async (extension) => {
  const waits = 'await new Promise(() => undefined); export default {};';
  const dir = projectFolder({ [`waits.${extension}`]: waits, [`quick.${extension}`]: 'export default 7;' });
  const clock = createSimulatedClock();
  const never = importModule(join(dir, `waits.${extension}`), clock);
  const given = expect(never).rejects.toThrow(/waits for something and was not loaded within 30000 ms/);
  await clock.advance(30_000);
  await given;
  expect(await importModule(join(dir, `quick.${extension}`), clock)).toMatchObject({ default: 7 });
});
