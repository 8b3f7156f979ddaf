import { environmentOf } from '../environment/services/environment-of.js';
import type { Fault } from './fault.js';
import { refused } from './own-service.js';

/** Takes the port that a service is configured to have. */
export const takePort: Fault = {
  name: 'take-port',
  summary: 'Holds the port that a service asks for, so that the next setup has to give it another',
  lasts: true,
  expect: 'PORT_CONFLICT',
  async inject(kernel, { service: wanted }) {
    const { services } = environmentOf(kernel.config, kernel.project);
    const asking = services.flatMap(({ name, ports }) =>
      ports.flatMap(({ host, protocol }) =>
        host !== null && protocol === 'tcp' ? [{ name, port: host }] : [],
      ),
    );
    const found = wanted === undefined ? asking[0] : asking.find(({ name }) => name === wanted);
    if (!found) {
      const what = wanted === undefined ? 'No service' : `No service ${wanted}`;
      throw refused(`${what} asks for a port of this machine`, { known: asking.map(({ name }) => name) });
    }
    const { name, port } = found;
    const release = await hold(port).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') throw cause;
      throw refused(
        `Port ${port} of ${name} is in use; argus clean gives it back if it is the service itself`,
      );
    });
    return { target: `port:${port}`, message: `port ${port} of ${name} is held`, undo: release };
  },
};

/** Listens on a port of this machine and answers nobody. Gives what ends it. */
async function hold(port: number): Promise<() => Promise<void>> {
  const { createServer } = await import('node:net');
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}
