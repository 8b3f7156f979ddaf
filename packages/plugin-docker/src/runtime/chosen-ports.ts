import { createServer } from 'node:net';
import type { PortMapping } from '@argusai/core';

/**
 * Gives a port of this machine to each mapping for which any will do. The engine would choose another one at every start, and
 * whoever has been told of the first would look for the service in vain after a restart.
 */
export async function chosenPorts(ports: readonly PortMapping[]): Promise<readonly PortMapping[]> {
  if (ports.every(({ host }) => host !== null)) return ports;
  const holders = new Set<() => void>();
  try {
    const chosen: PortMapping[] = [];
    for (const port of ports) {
      if (port.host !== null) chosen.push(port);
      else {
        const { host, release } = await freePort(port.ip);
        // Held until all are chosen, so that no two are the same.
        holders.add(release);
        chosen.push({ ...port, host });
      }
    }
    return chosen;
  } finally {
    for (const release of holders) release();
  }
}

function freePort(ip: string | null): Promise<{ host: number | null; release: () => void }> {
  return new Promise((resolve) => {
    const server = createServer();
    const release = () => void server.close();
    // An address that is not this machine's is the engine's to choose on.
    server.once('error', () => resolve({ host: null, release: () => undefined }));
    server.listen(0, ip?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', () => {
      const address = server.address();
      resolve({ host: typeof address === 'object' && address ? address.port : null, release });
    });
  });
}
