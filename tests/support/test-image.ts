import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programOnPath } from './engine-tools.js';

const execute = promisify(execFile);

/** The name of the small image that the tests run. */
export const testImage = 'argus-test:busybox';

// The static program alone is enough of an image, and needs no registry.
const dockerfile = `FROM scratch
COPY busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
CMD ["sh"]
`;

/** Makes the test image in an engine, unless it is there. Gives back its name. */
export async function makeTestImage(host: string): Promise<string> {
  const docker = (...args: string[]) => execute('docker', ['--host', host, ...args], { timeout: 60_000 });
  const { stdout } = await docker('images', '--quiet', testImage);
  if (stdout.trim() !== '') return testImage;
  const busybox = programOnPath('busybox');
  if (busybox === undefined) {
    // An engine at hand on a machine without busybox: such a machine has a registry to pull from.
    await docker('pull', 'busybox');
    await docker('tag', 'busybox', testImage);
    return testImage;
  }
  const folder = await mkdtemp(join(tmpdir(), 'argus-image-'));
  try {
    await copyFile(busybox, join(folder, 'busybox'));
    await writeFile(join(folder, 'Dockerfile'), dockerfile);
    await docker('build', '--quiet', '--tag', testImage, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return testImage;
}
