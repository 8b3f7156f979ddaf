import { openError, withCrash } from '@argusai/core';
import type { Call } from '../session/call.js';
import type { Session } from '../session/session.js';

/** What is answered, with what crashed during the call: each crash is told once. */
export function withCrashes<Told extends Parameters<typeof withCrash>[0]>(
  { surroundings: { env, secrets } }: Session,
  call: Call,
  told: Told,
): Told {
  return call
    .takeCrashes()
    .reduce<Told>((so, thrown) => withCrash(so, openError(thrown, env, secrets)), told);
}
