import { createServer } from 'node:http';

const prices = { tea: 3, cake: 4 };

createServer((request, response) => {
  if (request.url === '/health') return response.end('ok\n');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(prices));
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`prices on port ${process.env.PORT}`));
