import { hostname } from 'node:os';
import { ownerLookup } from '../ownership/liveness.js';
import type { RunRecord } from './run-record.js';

/** Somebody who runs tests with an environment. */
export interface RunUser {
  readonly host: string;
  readonly pid: number;
  /** The suites that run at this moment. */
  readonly suites: readonly string[];
}

/** Who surely runs tests with a run now: those for whom it was set up, and those whose tests it has noted. */
export async function usedBy({
  holders = [],
  commands = [],
}: Pick<RunRecord, 'holders' | 'commands'>): Promise<RunUser[]> {
  const lookUp = ownerLookup(hostname());
  const users = new Map<string, { host: string; pid: number; suites: string[] }>();
  const uses = [
    ...holders.map((owner) => ({ owner, suites: [] })),
    ...commands.map(({ by, suite }) => ({ owner: by, suites: [suite] })),
  ];
  for (const { owner, suites } of uses) {
    if ((await lookUp(owner)) !== 'alive') continue;
    const { host, pid } = owner;
    const known = users.get(`${host}/${pid}`) ?? { host, pid, suites: [] };
    users.set(`${host}/${pid}`, { ...known, suites: [...known.suites, ...suites] });
  }
  return [...users.values()];
}
