import assert from 'node:assert/strict';
import { test } from 'node:test';

// argus says where the services really are, whatever the configuration asks for.
const { ARGUS_URL_SHOP } = process.env;

test('the shop adds up a basket with the prices of the other service', async () => {
  const response = await fetch(`${ARGUS_URL_SHOP}/?basket=tea,cake`);
  assert.deepEqual(await response.json(), { total: 7 });
});
