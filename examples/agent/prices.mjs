import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const prices = readFileSync(new URL('prices.json', import.meta.url), 'utf8');
createServer((_, response) => response.end(prices)).listen(Number(process.env.PORT ?? 18100));
