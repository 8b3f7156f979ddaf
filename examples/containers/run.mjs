// The whole story: a port is taken on purpose, argus builds the images and brings the containers up all the same, a test
// calls them, and argus takes everything down again. The exit code is the test's.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));
const run = (args, env = {}, stdio = 'inherit') =>
  spawnSync(process.execPath, args, { cwd, stdio, encoding: 'utf8', env: { ...process.env, ...env } });

const squatter = createServer().listen(18090, '127.0.0.1');
await once(squatter, 'listening').catch(() => console.log('Somebody else has port 18090 already; as good'));

console.log('$ argus setup        (port 18090 is taken on purpose)');
const setup = run([program, 'setup', '--format', 'json'], {}, ['ignore', 'pipe', 'inherit']);
const { ok, data, error } = JSON.parse(setup.stdout);
if (!ok) {
  console.log(`${error.code}: ${error.message}`);
  process.exit(1);
}
for (const { service, originalPort, actualPort } of data.portMappings) {
  console.log(`${service}: asked for port ${originalPort}, has ${actualPort}`);
}

console.log('\n$ node --test');
const test = run(['--test', 'test/'], data.env);

console.log('\n$ argus clean');
const clean = run([program, 'clean']);
squatter.close();
process.exitCode = test.status || clean.status || 0;
