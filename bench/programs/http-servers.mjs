// As many servers as it is told, each on a port of its own; answers every request, and says which the ports are.
import { once } from 'node:events';
import { createServer } from 'node:http';

async function listen() {
  const server = createServer((_, response) => response.end('fine')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

process.on('disconnect', () => process.exit());
process.send(await Promise.all(Array.from({ length: Number(process.argv[2]) }, listen)));
