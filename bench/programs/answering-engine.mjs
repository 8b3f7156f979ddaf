// As much of an engine as is asked for its folder: listens on the socket that it is told, and says when it does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { dirname } from 'node:path';

const [socket = ''] = process.argv.slice(2);
const info = JSON.stringify({ ID: 'bench', DockerRootDir: dirname(socket) });
const server = createServer((_, response) => response.end(info)).listen(socket);
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send('listening');
