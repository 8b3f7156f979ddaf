import { statSync } from 'node:fs';

/** What says that nothing has this name. Whatever else keeps from looking at it says nothing about it. */
const absent: readonly unknown[] = ['ENOENT', 'ENOTDIR'];

/** Whether a folder is surely not there any more. One that cannot be looked at, for want of a permission or whatever, may well be. */
export function isGone(folder: string): boolean {
  try {
    statSync(folder);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && absent.includes(thrown.code);
  }
}
