import { once } from 'node:events';
import { createServer } from 'node:net';

/** Hears from each process as soon as it runs. */
export async function listenForStarts(atEnd) {
  const waitingFor = new Map();
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text) => {
      const at = performance.now();
      const { name, pid } = JSON.parse(text);
      waitingFor.get(name)?.({ pid, at });
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  const { port } = server.address();
  return {
    next: (name) => new Promise((resolve) => waitingFor.set(name, resolve)),
    /** The text of a program that says its name and stays. */
    saying: (name) =>
      `require('node:net').connect(${port}, '127.0.0.1').end(JSON.stringify({ name: '${name}', pid: process.pid })); setInterval(() => {}, 1e6)`,
  };
}
