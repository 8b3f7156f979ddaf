import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The topmost folder above a path that is still on the same device. Works alike on every platform. */
export async function mountPoint(path: string, device: bigint): Promise<string> {
  let top = await realpath(path);
  for (let above = dirname(top); above !== top; above = dirname(top)) {
    if ((await stat(above, { bigint: true })).dev !== device) break;
    top = above;
  }
  return top;
}
