import type { Serving } from '../server/offer.js';
import { isLoopback, type Listening, overHttp, overSocket } from '../server/over-http.js';
import { storedToken } from './stored-token.js';
import { tellError } from './tell-error.js';

/** Where clients come: an address, or a socket in the file system. */
export type Place = { readonly host: string; readonly port: number } | { readonly socket: string };

/** Listens, or says why it cannot and ends the process. */
export async function listen(serving: Serving, place: Place): Promise<Listening> {
  const { isArgusError, makeOwnFolder, portConflict, remedyOf, stateDir, storeUnavailable, usageInvalid } =
    await import('../work.js');
  /** Where the token, or what is remembered of the socket, is kept. */
  const folder = () => {
    const state = stateDir({ state: {} }, { name: '', dir: process.cwd() }, process.env);
    makeOwnFolder(state);
    return state;
  };
  const fail = (message: string, next: string, { code }: { readonly code: string } = usageInvalid): never => {
    tellError({ message, code }, next);
    process.exit(code === usageInvalid.code ? 2 : 1);
  };
  const where = 'socket' in place ? place.socket : `${place.host}:${place.port}`;
  const given = process.env.ARGUS_MCP_TOKEN;
  if ('host' in place && !isLoopback(place.host) && !given) {
    const message = `${place.host} can be reached by others, so there must be a token`;
    return fail(message, 'set ARGUS_MCP_TOKEN, or leave out --host');
  }
  try {
    if ('socket' in place) return await overSocket(serving, place.socket, folder());
    return await overHttp(serving, { ...place, token: given || (await tokenIn(folder(), serving)) });
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // Only the folder of the state says what is wrong in a code of its own.
    if (isArgusError(thrown)) {
      const remedy = remedyOf(storeUnavailable, thrown.error.details) ?? '';
      return fail(message, remedy, storeUnavailable);
    }
    // What has no code of the system is about the token that is kept.
    if (code === undefined) return fail(message, 'remove it, or set ARGUS_MCP_TOKEN');
    const isTaken = code === 'EADDRINUSE';
    const why = isTaken && 'socket' in place ? 'something is there that no dead argus-mcp has left' : message;
    const next =
      'socket' in place
        ? 'argus-mcp with another --socket'
        : 'argus-mcp --http with another --port or --host';
    return fail(`It cannot listen on ${where}: ${why}`, next, isTaken ? portConflict : usageInvalid);
  }
}

/** The token that is kept; one that was made just now is shown, and never again. */
async function tokenIn(folder: string, { log }: Serving): Promise<string> {
  const { token, file, isNew } = await storedToken(folder);
  log(isNew ? `the token, shown this once and kept in ${file}: ${token}` : `the token is in ${file}`);
  return token;
}
