import type { RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { networkName } from './names.js';

/** Where the engine itself says that containers reach this machine. */
const enginesWord = 'host-gateway';

/** Knows where the containers of a run reach this machine. */
export interface WayOut {
  /** As `docker run --add-host` takes it. */
  find(run: RunIdentity, signal: AbortSignal): Promise<string>;
  /** The addresses of this machine that it is; none where the engine passes connections on. */
  gateways(run: RunIdentity, signal: AbortSignal): Promise<readonly string[]>;
  /** The network of a run may be another one now. */
  forget(run: RunIdentity): void;
}

/**
 * Containers go out by the gateway of their own network where that is an address of this machine: every run has its own,
 * so the mocks of two worktrees can have one port. Where the engine lives elsewhere, as in a virtual machine, it knows
 * better. Looked up once for each run that is prepared.
 */
export function createWayOut(client: DockerClient): WayOut {
  const known = new Map<string, Promise<string>>();
  const find = (run: RunIdentity, signal: AbortSignal) => {
    const found = known.get(run.id) ?? look(client, run, signal);
    known.set(run.id, found);
    found.catch(() => known.delete(run.id));
    return found;
  };
  return {
    find,
    async gateways(run, signal) {
      const found = await find(run, signal);
      return found === enginesWord ? [] : [found];
    },
    forget: ({ id }) => void known.delete(id),
  };
}

async function look(client: DockerClient, run: RunIdentity, signal: AbortSignal): Promise<string> {
  const [network] = await client.inspect<{ IPAM: { Config: { Gateway?: string }[] | null } }>(
    'network',
    [networkName(run)],
    { signal },
  );
  const gateways = (network?.IPAM.Config ?? []).flatMap(({ Gateway }) => (Gateway ? [Gateway] : []));
  const gateway = gateways.find((address) => !address.includes(':'));
  return gateway !== undefined && (await isOfThisMachine(gateway)) ? gateway : enginesWord;
}

/** The list of interfaces leaves out a bridge on which nothing runs yet, so it is tried. */
async function isOfThisMachine(address: string): Promise<boolean> {
  const { createSocket } = await import('node:dgram');
  const socket = createSocket('udp4');
  try {
    return await new Promise((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(0, address, () => resolve(true));
    });
  } finally {
    socket.close();
  }
}
