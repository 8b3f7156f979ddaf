import { isAbsolute, join, resolve } from 'node:path';
import { ArgusError } from './argus-error.js';
import { storeUnavailable } from './core-error-codes.js';
import { homeFolder } from './home-folder.js';

/** Where the state of a user lies, whatever a project says; nothing where nobody says it and there is no home folder. */
export function userStateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.ARGUS_STATE_DIR) return resolve(env.ARGUS_STATE_DIR);
  // A relative one counts as unset: so the rules of XDG have it, and it would be another store in every folder.
  if (env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME)) return join(env.XDG_STATE_HOME, 'argus');
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, '.local', 'state', 'argus');
}

/** The same where something is to be kept there. */
export function requireUserStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const folder = userStateFolder(env);
  if (folder !== undefined) return folder;
  // To look at the configuration does not help: it cannot be opened without a folder for the state either.
  throw new ArgusError(
    { ...storeUnavailable, suggestedActions: [] },
    {
      message:
        'There is no folder for the state: this user has no home folder, and ARGUS_STATE_DIR is not set',
      details: { store: '~/.local/state/argus', reason: 'no-home' },
    },
  );
}
