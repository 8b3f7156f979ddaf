import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The topmost folder above a path that is still on the same device. Works alike on every platform. */
export async function mountPoint(path: string, device: bigint): Promise<string> {
  const [start, ...above] = upwards(await realpath(path));
  // All at once: each look takes longer to ask for than to answer.
  const looks = await Promise.all(above.map((folder) => stat(folder, { bigint: true })));
  const elsewhere = looks.findIndex(({ dev }) => dev !== device);
  return above[(elsewhere < 0 ? above.length : elsewhere) - 1] ?? start;
}

/** A folder, the one that it is in, and so on to the root. */
function upwards(folder: string): [string, ...string[]] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
