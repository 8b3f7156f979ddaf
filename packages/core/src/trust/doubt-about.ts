import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** A part of a path that is not its user's alone. */
export interface Doubt {
  readonly path: string;
  /** Another user owns it, or others may write it. */
  readonly reason: 'owner' | 'writable';
  readonly owner: number;
  /** In octal digits, as `chmod` takes it. */
  readonly mode: string;
}

/** Who asks: what these own is one's own. */
export interface Asker {
  readonly users: readonly number[];
  /** The own groups, which may write: where every user has one, nobody else is in it. */
  readonly groups: readonly number[];
}

/**
 * What is doubtful about a path, from the root of the file system down to it: whoever owns a part of it, or may write there, can put
 * something else in its place. Links are not followed. On Windows nothing can be told by this, so nothing is doubted.
 */
export function doubtAbout(path: string, asker: Asker | undefined = whoAsks()): Doubt | undefined {
  if (!asker) return undefined;
  const holder = lookAt(path)?.isDirectory() ? undefined : dirname(path);
  for (const part of partsOf(path)) {
    const stats = lookAt(part);
    // What is not there cannot be used either.
    if (!stats) return undefined;
    const reason = reasonFor(stats, asker, part === holder);
    if (reason) return { path: part, reason, owner: stats.uid, mode: (stats.mode & 0o7777).toString(8) };
  }
  return undefined;
}

/** The user of this process, root, and whoever has become root by sudo. */
function whoAsks(): Asker | undefined {
  const user = process.geteuid?.();
  const group = process.getegid?.();
  if (user === undefined || group === undefined) return undefined;
  const { SUDO_UID, SUDO_GID } = process.env;
  const before = (id = '') => (user === 0 && /^\d+$/.test(id) ? [Number(id)] : []);
  return { users: [user, 0, ...before(SUDO_UID)], groups: [group, ...before(SUDO_GID)] };
}

function partsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [...partsOf(above), path];
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Who may not look at it may not read it either.
    return undefined;
  }
}

/** `holds` says that the file lies right in this folder: what others put beside it would be found by what it imports. */
function reasonFor(stats: Stats, { users, groups }: Asker, holds: boolean): Doubt['reason'] | undefined {
  const { uid, gid, mode } = stats;
  if (!users.includes(uid)) return 'owner';
  // The mode of a link says nothing.
  if (stats.isSymbolicLink()) return undefined;
  // In a folder such as /tmp nobody can replace what belongs to another.
  const isSticky = stats.isDirectory() && (mode & 0o1000) !== 0 && !holds;
  const byOthers = (mode & 0o002) !== 0 && !isSticky;
  // Whom root lets write into the folders of the system is root's affair.
  const byGroup = (mode & 0o020) !== 0 && uid !== 0 && !groups.includes(gid) && !isSticky;
  return byOthers || byGroup ? 'writable' : undefined;
}
