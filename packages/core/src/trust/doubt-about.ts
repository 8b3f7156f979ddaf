import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
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
  /** The groups that may write, since nobody else is in them. It is asked only where one may. */
  readonly groups: () => readonly number[];
}

/**
 * What is doubtful about a path, from the root of the file system down to it: whoever owns a part of it, or may write there, can put
 * something else in its place. Links are not followed. On Windows nothing can be told by this, so nothing is doubted.
 */
export function doubtAbout(path: string, asker: Asker | undefined = whoAsks()): Doubt | undefined {
  if (!asker) return undefined;
  let holder = lookAt(path)?.isDirectory() ? undefined : dirname(path);
  // What is not there yet, or no longer, can be put there by whoever may write into the nearest folder that is.
  while (holder !== undefined && !lookAt(holder)) holder = dirname(holder);
  for (const part of partsOf(path)) {
    const stats = lookAt(part);
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
  const { SUDO_UID = '', SUDO_GID, SUDO_USER = '' } = process.env;
  const before = user === 0 && /^\d+$/.test(SUDO_UID) ? { id: Number(SUDO_UID), name: SUDO_USER } : undefined;
  const groups = () => [
    ...(isPrivate(group, { id: user, name: nameOfUser() }) ? [group] : []),
    ...(before && isPrivate(Number(SUDO_GID), before) ? [Number(SUDO_GID)] : []),
  ];
  return { users: [user, 0, ...(before ? [before.id] : [])], groups };
}

/**
 * Whether a group is of one user alone, as a umask of 002 takes it: it has his number, or in the list of groups his name and nobody
 * else in it. Where one group is everybody's, as `staff` of macOS and `users` of SUSE, its members are others.
 */
export function isPrivate(
  group: number,
  { id, name }: { readonly id: number; readonly name: string },
  known = knownGroups(),
): boolean {
  if (group === id) return true;
  return known.split('\n').some((line) => {
    const [called, , number, members = ''] = line.split(':');
    const others = members.split(',').filter((member) => member !== '' && member !== name);
    return called === name && Number(number) === group && others.length === 0;
  });
}

function knownGroups(): string {
  try {
    return readFileSync('/etc/group', 'utf8');
  } catch {
    // Nothing is known of any group then.
    return '';
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A number without a name, as in a container.
    return '';
  }
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
  const byGroup = (mode & 0o020) !== 0 && uid !== 0 && !isSticky && !groups().includes(gid);
  return byOthers || byGroup ? 'writable' : undefined;
}
