import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testImage } from '../../support/test-image.js';
import { fillDisk, freeIn } from '../faults/fill-disk.js';
import { container, read } from '../projects/container.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const megabyte = 1_000_000;

/** An image with so many megabytes of its own. */
const dockerfile = (megabytes: number, mark: string) =>
  `FROM ${testImage}\nRUN dd if=/dev/zero of=/${mark} bs=1000000 count=${megabytes}\n`;

/** Built once already, so that a build has left an image behind that nobody needs. */
async function buildTwice(world: World): Promise<void> {
  for (const mark of ['first', 'second']) {
    await world.write('web/Dockerfile', dockerfile(60, mark));
    expect(await world.argus('build')).toMatchObject({ code: 0 });
  }
  // The next one needs less: twice its size while it is built.
  await world.write('web/Dockerfile', dockerfile(20, 'third'));
}

/** What somebody else has put on the disk is still there. */
async function fillerIsThere(folder: string): Promise<void> {
  expect((await stat(join(folder, 'filler'))).size).toBeGreaterThan(megabyte);
}

/** The disk of the engine runs full. The folder is on that disk. */
export function diskScenarios(folder: () => string): readonly Scenario[] {
  const { image: _, ...web } = container('web');
  const services = { web: { ...web, build: 'web' } };
  return [
    {
      name: 'the disk is below the threshold',
      config: () => ({
        services,
        resilience: { preflight: { diskSpaceThreshold: '80MB' } },
        // Removing images is beyond what is done without asking, unless people say so.
        policy: { autonomy: 'full', consecutiveFailures: 1 },
      }),
      before: buildTwice,
      fault: fillDisk(folder, 30 * megabyte),
      commands: [['check', '--auto-fix'], ['setup']],
      detected: {
        code: 'DISK_SPACE_LOW',
        category: 'infrastructure',
        severity: 'fatal',
        details: () => ({
          mount: folder(),
          required: 80 * megabyte,
          available: expect.closeTo(30 * megabyte, -6),
        }),
      },
      recoverable: true,
      async verify(world) {
        expect(await read(world, 'web')).toBe('web');
        await fillerIsThere(folder());
      },
      without: 'fails',
      agent: { goals: [['setup']] },
    },
    {
      name: 'the disk runs full during a build',
      config: () => ({ services, resilience: { preflight: { diskSpaceThreshold: '10MB' } } }),
      before: (world) => world.write('web/Dockerfile', dockerfile(60, 'large')),
      fault: fillDisk(folder, 30 * megabyte),
      commands: [['setup']],
      detected: {
        code: 'DISK_SPACE_LOW',
        category: 'infrastructure',
        severity: 'fatal',
        details: () => ({
          available: expect.any(Number),
          required: 10 * megabyte,
          total: expect.any(Number),
          path: expect.stringContaining(folder()),
          rollback: { removed: [], left: [], failed: [] },
        }),
      },
      recoverable: false,
      async verify(world) {
        expect(await world.resources()).toEqual([]);
        await fillerIsThere(folder());
        // What the build had written is gone.
        expect(await freeIn(folder())).toBeGreaterThan(25 * megabyte);
      },
      without: { pointless: 'nothing could be seen beforehand' },
      agent: { goals: [['setup']] },
    },
  ];
}
