// The whole story: a port is taken on purpose, argus brings the services up all the same, runs the test that calls them, and
// takes everything down again. The exit code is the test's.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));

const squatter = createServer().listen(18080, '127.0.0.1');
await once(squatter, 'listening').catch(() => console.log('Somebody else has port 18080 already; as good'));

console.log('$ argus run        (port 18080 is taken on purpose)');
const { status } = spawnSync(process.execPath, [program, 'run'], { cwd, stdio: 'inherit' });
squatter.close();
process.exitCode = status ?? 1;
