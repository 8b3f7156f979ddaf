import { createServer } from 'node:http';

/** What a basket such as `tea,cake` costs, by the prices of the other service. */
async function total(basket) {
  const prices = await (await fetch(process.env.PRICES_URL)).json();
  return basket.split(',').reduce((sum, item) => sum + prices[item], 0);
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
  if (pathname === '/health') return response.end('ok\n');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ total: await total(searchParams.get('basket') ?? '') }));
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`shop on port ${process.env.PORT}`));
