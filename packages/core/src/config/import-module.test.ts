import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
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

it('keeps what it has compiled, and uses what is kept, only where nobody else can write it', async () => {
  const kept = 'node_modules/.cache/argus';
  const project = (mode: number, files: object = { [`${kept}/.keep`]: '' }) => {
    const dir = projectFolder({ 'settings.ts': 'export default 7;', 'node_modules/a': '', ...files });
    if (existsSync(join(dir, kept))) chmodSync(join(dir, kept), mode);
    return dir;
  };
  const linked = project(0o755, {});
  symlinkSync(join(project(0o777), 'node_modules/.cache'), join(linked, 'node_modules/.cache'));
  const counts: number[] = [];
  for (const dir of [project(0o755), project(0o777), linked]) {
    expect(await importModule(join(dir, 'settings.ts'))).toMatchObject({ default: 7 });
    counts.push(readdirSync(join(dir, kept)).length);
  }
  expect(counts).toEqual([2, 1, 1]);
});
