import type { Kernel } from '../kernel/kernel.js';

/** Gives back what others wait for, and releases the store. */
export async function closeKernel({ circuits, store }: Pick<Kernel, 'circuits' | 'store'>): Promise<void> {
  // A probe that nobody waits for any more must not keep the next command waiting. Where that cannot be said, its turn runs out.
  await circuits.release().catch(() => undefined);
  await store.close();
}
