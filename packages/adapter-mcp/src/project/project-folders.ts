import { realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, parse, relative, resolve, sep } from 'node:path';

/** What the hosts themselves say about the folder that they work in. */
const hostVariables = ['CLAUDE_PROJECT_DIR', 'CODEX_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'WORKSPACE_FOLDER'];

/** Where the server may work. */
export interface ProjectFolders {
  /** Where it works unless a call names another folder. */
  readonly main: string;
  /** Where calls may name a folder. */
  readonly roots: readonly string[];
}

/** The folder of a call, or why it is none to work in. */
export type FolderChoice = { readonly folder: string } | { readonly asked: string; readonly refusal: string };

/** Which folders the server may work in: what it was told, then the variables, then where it was started. */
export function projectFolders(
  { project, allow }: { readonly project?: string; readonly allow: readonly string[] },
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): ProjectFolders {
  const told = [project, env.ARGUS_PROJECT_DIR, ...hostVariables.map((name) => env[name])];
  const main = resolve(cwd, told.find((one) => one !== undefined && one !== '') ?? cwd);
  return { main, roots: [main, ...allow.map((folder) => resolve(cwd, folder))] };
}

/** Where a call is to work. Links are followed first, so that none leads out. */
export function chooseFolder({ main, roots }: ProjectFolders, projectPath?: string): FolderChoice {
  const asked = projectPath === undefined ? main : resolve(main, projectPath);
  const folder = realFolder(asked);
  if (folder === undefined) return { asked, refusal: `There is no folder ${asked}` };
  const why = whyNever(folder);
  if (why !== undefined) return { asked, refusal: `${asked} is ${why}, which is never a project` };
  if (isAllowed(folder, roots)) return { folder };
  return { asked, refusal: `${asked} lies outside the folders that are allowed` };
}

/** Whether a folder, with its links followed, lies inside one of those that are allowed. */
export function isAllowed(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const real = realRoot(root);
    return real !== undefined && isInside(folder, real);
  });
}

/** Those of the folders in which something can be allowed at all. */
export function workable(roots: readonly string[]): string[] {
  return roots.filter((root) => realRoot(root) !== undefined);
}

/** Where a folder that is allowed really lies; nothing where it is none to work in. */
function realRoot(root: string): string | undefined {
  const real = realFolder(root);
  return real === undefined || whyNever(real) !== undefined ? undefined : real;
}

/** Where the home folders of all users lie. */
const ofHomes = ['/home', '/Users'];

/** Why a folder is never one to work in. */
export function whyNever(folder: string): string | undefined {
  if (folder === parse(folder).root) return 'the root of the file system';
  if (ofHomes.includes(folder)) return 'where home folders lie';
  return homesOfUser().includes(folder) ? 'a home folder' : undefined;
}

/**
 * What `HOME` says, and what the system knows: whoever is given another home for a while still has his own. Core knows more of this,
 * and is not loaded before there is work for it.
 */
function homesOfUser(): string[] {
  return [homedir, () => userInfo().homedir].flatMap((ask) => {
    try {
      const home = ask();
      return isAbsolute(home) ? (realFolder(home) ?? []) : [];
    } catch {
      // A user whom the system does not know, and no HOME: no folder is his.
      return [];
    }
  });
}

/** Whether a path, with its links followed, lies inside a folder or is it. */
export function isInside(folder: string, root: string): boolean {
  const path = relative(root, folder);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && resolve(root, path) === folder);
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Not there, or behind something that may not be read: no folder to work in.
    return undefined;
  }
}
