import { createHash } from 'node:crypto';
import type { Kernel } from '../kernel/kernel.js';
import { storeCorrupt } from '../model/core-error-codes.js';
import type { StructuredError } from '../model/error-code.js';

type Parts = Pick<Kernel, 'store' | 'project'>;

const namespace = 'damage-settled';

/**
 * What the store has to say of itself to this folder. That it was damaged concerns a folder no longer when all that was lost there is
 * known to be gone; what became known only since then (milliseconds since the epoch) is told once more.
 */
export async function storeNotices(
  { store, project }: Parts,
  since = Number.POSITIVE_INFINITY,
): Promise<StructuredError[]> {
  const notices = [...(store.notices?.() ?? [])];
  if (!notices.some(isDamage)) return notices;
  try {
    const settled = await store.list(namespace);
    const before = new Set(settled.flatMap(({ key, updatedAt }) => (updatedAt < since ? [key] : [])));
    return notices.filter((notice) => !isDamage(notice) || !before.has(keyOf(project, notice)));
  } catch {
    // A store that cannot be read has settled nothing.
    return notices;
  }
}

/** Notes that nothing is left in this folder of what a damaged store knew. */
export async function settleDamage({ store, project }: Parts): Promise<void> {
  for (const notice of (store.notices?.() ?? []).filter(isDamage)) {
    const key = keyOf(project, notice);
    try {
      await store.put(namespace, key, { worktree: project.dir }, { ifRevision: 'absent' });
    } catch {
      // Then it is told once more, which is true.
    }
  }
}

function isDamage({ code }: StructuredError): boolean {
  return code === storeCorrupt.code;
}

function keyOf({ name, dir }: Parts['project'], { details }: StructuredError): string {
  return createHash('sha256').update(`${name}\n${dir}\n${details.movedTo}`).digest('hex').slice(0, 32);
}
