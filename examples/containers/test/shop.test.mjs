import assert from 'node:assert/strict';
import { test } from 'node:test';

// argus says where the services really are, whatever the configuration asks for.
const { ARGUS_URL_PRICES, ARGUS_URL_SHOP } = process.env;

test('the prices can be read from here', async () => {
  const response = await fetch(`${ARGUS_URL_PRICES}/prices.txt`);
  assert.equal(await response.text(), 'tea 3\ncake 4\n');
});

test('the shop adds up a basket with the prices of the other service', async () => {
  const response = await fetch(`${ARGUS_URL_SHOP}/cgi-bin/total?tea,cake`);
  assert.deepEqual(await response.json(), { total: 7 });
});
