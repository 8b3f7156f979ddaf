import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The topmost folder above a path that is still on the same device. Works alike on every platform. Which device that is need not
 * be known yet.
 */
export async function mountPoint(path: string, device: Promise<bigint>): Promise<string> {
  const [start, ...above] = upwards(await realpath(path));
  // All at once: each look takes longer to ask for than to answer.
  const [own, ...looks] = await Promise.all([
    device,
    ...above.map((folder) => stat(folder, { bigint: true }).then(({ dev }) => dev)),
  ]);
  const elsewhere = looks.findIndex((dev) => dev !== own);
  return above[(elsewhere < 0 ? above.length : elsewhere) - 1] ?? start;
}

/** A folder, the one that it is in, and so on to the root. */
function upwards(folder: string): [string, ...string[]] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
