import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The home folder of the user, if it can be told. A `HOME` that is empty or relative says nothing: what is written there would end
 * up in whatever folder argus is started in. Node throws where neither the variables nor the system know one, as in a
 * container that runs under a number without a name.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const asked = [() => env.HOME, homedir, () => userInfo().homedir];
  for (const ask of asked) {
    const folder = unlessThrown(ask);
    if (folder !== undefined && isAbsolute(folder)) return folder;
  }
  return undefined;
}

function unlessThrown(ask: () => string | undefined): string | undefined {
  try {
    return ask();
  } catch {
    // The system does not know this user, so it knows no folder of his either.
    return undefined;
  }
}
