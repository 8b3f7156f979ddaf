import { hostname } from 'node:os';
import type { TurnProcesses } from '../../circuit/circuit.js';
import { ownIdentity } from '../processes/process-identity.js';
import { ownerLookup } from './liveness.js';

/** The processes of this machine, for circuits that want to know whether whoever has the turn still lives. */
export const turnProcesses: TurnProcesses = {
  // A turn that does not say whose it is ends when its time is up.
  own: () => ownIdentity().catch(() => undefined),
  isGone: async (process) => (await ownerLookup(hostname())(process)) === 'dead',
};
