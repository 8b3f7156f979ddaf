import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Fault } from '../scenario.js';

const block = Buffer.alloc(1_000_000, 'x');

/** Somebody fills the filesystem of a folder until so many bytes are left; the file is called `filler`. */
export function fillDisk(folder: () => string, left: number): Fault {
  return {
    name: `fills the disk until ${left} bytes are left`,
    async break() {
      const path = join(folder(), 'filler');
      const file = await open(path, 'w');
      onTestFinished(() => rm(path, { force: true }));
      try {
        for (let free = await freeIn(folder()); free > left; free = await freeIn(folder()))
          await file.write(block.subarray(0, Math.min(block.length, free - left)));
      } finally {
        await file.close();
      }
    },
  };
}

/** How much room is left in the filesystem of a folder. */
export async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
